import { Radio, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../api/client.js';
import { collectionsQuery } from '../../api/collections.js';
import { useKeys } from '../../api/keys.js';
import { useAccount, useUser } from '../../api/session.js';
import type { components } from '../../api/v1-schema.js';
import { Dialog, FormDialog, type CloseDialog } from '../../components/dialog.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { showDone } from '../../components/messages.js';
import { LoadingLines } from '../../components/page-loading.js';
import { versionTag } from '../documents/document-types.js';
import { AccessPeople, type Entry } from './access-people.js';
import { isWithin, type Folder, type Folders } from './folders.js';
import classes from './folders.module.css';
import { managesAllFolders, RIGHT_NAMES } from './rights.js';

type Access = components['schemas']['CollectionAccess'];

interface FolderAccessProps {
  folders: Folders;
  folder: Folder;
  onClose: CloseDialog;
}

/** Shows who can open a folder, and changes it. */
export function FolderAccess(props: FolderAccessProps) {
  const { id: accountId, api } = useAccount();
  const { id } = props.folder;
  const access = useQuery({
    queryKey: [accountId, 'collection-access', id],
    queryFn: () => dataOf(api.GET('/v1/collections/{id}/access', { params: { path: { id } } })),
    gcTime: 0,
  });
  if (access.data) return <AccessForm {...props} stored={access.data} />;
  return (
    <Dialog title="Who has access" size="lg" onClose={props.onClose}>
      {access.error ? (
        <FailureAlert error={access.error} onRetry={() => void access.refetch()} />
      ) : (
        <LoadingLines rows={5} height={32} />
      )}
    </Dialog>
  );
}

function AccessForm({ folders, folder, stored, onClose }: FolderAccessProps & { stored: Access }) {
  const { id: accountId, name: accountName, api, role } = useAccount();
  const user = useUser();
  const queryClient = useQueryClient();
  const [before] = useState(stored);
  const [isOwn, setOwn] = useState(before.access !== null);
  const decisive = before.access ?? before.effective;
  const [everyone, setEveryone] = useState(decisive.everyone);
  const [people, setPeople] = useState<readonly Entry[]>(() => {
    if (before.access !== null || managesAllFolders(role)) return decisive.people;
    // The API rejects access that takes the right to manage the folder from the person who sets it.
    const others = decisive.people.filter(({ userId }) => userId !== user.id);
    return [{ userId: user.id, name: user.name, right: 'manager' }, ...others];
  });
  const save = useMutation({
    mutationFn: () => {
      const entries = people.map(({ userId, right }) => ({ userId, right }));
      return dataOf(
        api.PUT('/v1/collections/{id}/access', {
          params: { path: { id: folder.id }, header: { 'If-Match': versionTag(folder.version) } },
          body: { access: isOwn ? { everyone, people: entries } : null },
        }),
      );
    },
    onSuccess: async () => {
      showDone(`Access to ${folder.name} saved.`);
      await onClose();
    },
    onSettled: async () => {
      await queryClient.invalidateQueries(collectionsQuery(accountId, api));
      await queryClient.invalidateQueries({ queryKey: [accountId, 'collection-access'] });
    },
  });
  const stateOf = (own: boolean) => JSON.stringify(own ? [everyone, people] : null);
  const [atFirst] = useState(() => stateOf(isOwn));
  const isChanged = stateOf(isOwn) !== atFirst;
  const above = folder.parentId === null ? undefined : folders.byId.get(folder.parentId);
  return (
    <FormDialog
      title="Who has access"
      size="lg"
      submit="Save access"
      submission={save}
      disabled={!isChanged}
      isUnsaved={() => isChanged && !save.isSuccess}
      onSubmit={() => {
        save.mutate();
      }}
      onClose={onClose}
    >
      <Radio.Group
        label={`Who can open “${folder.name}”`}
        value={isOwn ? 'own' : 'inherited'}
        onChange={(value) => {
          setOwn(value === 'own');
        }}
      >
        <Stack gap="sm" mt="xs">
          <Radio
            value="inherited"
            data-autofocus={!isOwn || undefined}
            label={above ? `Same people as “${above.name}”` : `Everyone in ${accountName}`}
            description={
              above
                ? 'Also after the access of that folder changes'
                : 'Members can edit, viewers can suggest'
            }
          />
          <Radio
            value="own"
            data-autofocus={isOwn || undefined}
            label="Only the people you choose"
            description="For this folder and the folders in it"
          />
        </Stack>
      </Radio.Group>
      {isOwn ? (
        <AccessPeople
          people={people}
          everyone={everyone}
          onPeople={setPeople}
          onEveryone={setEveryone}
        />
      ) : (
        before.access === null && above && <Inherited access={before.effective} />
      )}
      <LimitedKeys folders={folders} folder={folder} />
    </FormDialog>
  );
}

/** The people who can open the folder above. */
function Inherited({ access }: { access: Access['effective'] }) {
  return (
    <ul className={classes.entries} aria-label="People with access">
      {access.people.map(({ userId, name, right }) => (
        <li key={userId}>
          <span className={classes.person} dir="auto">
            {name}
          </span>
          <span>{RIGHT_NAMES[right]}</span>
        </li>
      ))}
      <li>
        <span className={classes.person}>Everyone{access.people.length > 0 && ' else'}</span>
        <span>{access.everyone === null ? 'No access' : RIGHT_NAMES[access.everyone]}</span>
      </li>
    </ul>
  );
}

/** The keys and apps that are limited to some folders and can open this one. */
function LimitedKeys({ folders, folder }: Pick<FolderAccessProps, 'folders' | 'folder'>) {
  const { data: keys = [] } = useKeys();
  const limited = keys.filter(
    ({ revokedAt, collections }) =>
      revokedAt === null && collections?.some((id) => isWithin(folders, folder.id, id)) === true,
  );
  if (limited.length === 0) return null;
  return (
    <section aria-label="Keys and apps">
      <Text size="sm" fw={500}>
        Keys and apps
      </Text>
      <ul className={classes.keys}>
        {limited.map(({ id, name, client, owner, collections }) => (
          <li key={id}>
            {client ? 'The app' : 'The key'} “{name}” of {owner.name} can use{' '}
            {collections?.length === 1 ? 'only ' : ''}
            {collections?.includes(folder.id) === true
              ? 'this folder'
              : 'a folder that contains this one'}
            .
          </li>
        ))}
      </ul>
    </section>
  );
}
