import { ActionIcon, Button, NativeSelect, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { LARGEST_PAGE } from '../../api/all-pages.js';
import { dataOf } from '../../api/client.js';
import { collectionsQuery, type Right } from '../../api/collections.js';
import { useKeys } from '../../api/keys.js';
import { useAccount, useSession, useUser } from '../../api/session.js';
import type { components } from '../../api/v1-schema.js';
import { Dialog, FormDialog, type CloseDialog } from '../../components/dialog.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { Icon } from '../../components/icons.js';
import { showDone } from '../../components/messages.js';
import { LoadingLines } from '../../components/page-loading.js';
import { useAllowance } from '../../components/use-allowance.js';
import { versionTag } from '../documents/document-types.js';
import { isWithin, type Folder, type Folders } from './folders.js';
import classes from './folders.module.css';
import { ableTo, MEANINGS, rightName, RIGHTS } from './rights.js';

type Access = components['schemas']['CollectionAccess'];

interface Entry {
  userId: string;
  name: string;
  right: Right;
}

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
  const allowance = useAllowance('access:write');
  const [before] = useState(stored);
  const [isOwn, setOwn] = useState(before.access !== null);
  const [everyone, setEveryone] = useState<Right | null>(
    (before.access ?? before.effective).everyone,
  );
  const [people, setPeople] = useState<readonly Entry[]>(() => {
    const listed = (before.access ?? before.effective).people;
    const managesAll = role === 'owner' || role === 'admin';
    if (before.access !== null || managesAll) return listed;
    // Who sets the access of a folder must stay its manager.
    const others = listed.filter(({ userId }) => userId !== user.id);
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
      whyNot={allowance.title}
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
        <People people={people} everyone={everyone} onPeople={setPeople} onEveryone={setEveryone} />
      ) : (
        before.access === null && above && <Inherited access={before.effective} />
      )}
      <LimitedKeys folders={folders} folder={folder} />
    </FormDialog>
  );
}

interface PeopleProps {
  people: readonly Entry[];
  everyone: Right | null;
  onPeople: (people: readonly Entry[]) => void;
  onEveryone: (right: Right | null) => void;
}

/** The people who can open a folder with its own access, each with their right. */
function People({ people, everyone, onPeople, onEveryone }: PeopleProps) {
  const { name: accountName } = useAccount();
  const { id: ownId } = useUser();
  const { roles } = useSession();
  const roleOf = useRoles();
  return (
    <section className={classes.people} aria-label="People">
      <AddPerson
        known={people}
        onAdd={(entry) => {
          onPeople([...people, entry]);
        }}
      />
      <ul className={classes.entries} aria-label="People with access">
        {people.map(({ userId, name, right }) => {
          const role = roleOf(userId);
          const able = ableTo(right, role, roles);
          return (
            <li key={userId}>
              <span className={classes.person}>
                <span dir="auto">{userId === ownId ? `${name} (you)` : name}</span>
                {role !== undefined && able !== rightName(right) && (
                  <small>
                    {able === 'Can suggest'
                      ? `${able} changes: ${right === 'viewer' ? 'this right' : `the role ${role}`} doesn't allow more`
                      : `${able}: the role ${role} doesn't allow more`}
                  </small>
                )}
              </span>
              <RightSelect
                label={`Access of ${name}`}
                value={right}
                onChange={(changed) => {
                  if (changed === null) return;
                  onPeople(
                    people.map((one) => (one.userId === userId ? { ...one, right: changed } : one)),
                  );
                }}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                size="var(--app-control-small)"
                aria-label={`Remove ${name}`}
                onClick={() => {
                  onPeople(people.filter((one) => one.userId !== userId));
                }}
              >
                <Icon name="close" size={14} />
              </ActionIcon>
            </li>
          );
        })}
        <li>
          <span className={classes.person}>
            {people.length === 0 ? `Everyone in ${accountName}` : `Everyone else in ${accountName}`}
          </span>
          <RightSelect
            label="Access of everyone else"
            value={everyone}
            isOptional
            onChange={onEveryone}
          />
        </li>
      </ul>
      <Text size="sm" c="dimmed">
        Owners and admins can always open and manage every folder.
      </Text>
    </section>
  );
}

interface RightSelectProps {
  label: string;
  value: Right | null;
  isOptional?: boolean;
  onChange: (right: Right | null) => void;
}

const NONE = 'none';

function RightSelect({ label, value, isOptional = false, onChange }: RightSelectProps) {
  return (
    <NativeSelect
      aria-label={label}
      className={classes.right ?? ''}
      size="xs"
      value={value ?? NONE}
      title={value === null ? undefined : MEANINGS[value]}
      data={[
        ...(isOptional ? [{ value: NONE, label: 'No access' }] : []),
        ...RIGHTS.map((right) => ({ value: right, label: rightName(right) })),
      ]}
      onChange={({ currentTarget }) => {
        onChange(currentTarget.value === NONE ? null : (currentTarget.value as Right));
      }}
    />
  );
}

/** Pause after the last letter before people are searched, in ms. */
const SEARCH_AFTER = 200;
const SHOWN = 6;

/** Finds members and service accounts by name. */
function AddPerson({ known, onAdd }: { known: readonly Entry[]; onAdd: (entry: Entry) => void }) {
  const { id: accountId, api } = useAccount();
  const [typed, setTyped] = useState('');
  const [words] = useDebouncedValue(typed.trim(), SEARCH_AFTER);
  const search = useQuery({
    queryKey: [accountId, 'members', 'search', words],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/v1/members', { params: { query: { q: words, limit: SHOWN * 2 } }, signal })),
    enabled: words !== '',
    placeholderData: keepPreviousData,
  });
  const isOpen = typed.trim() !== '';
  const found = (search.data ?? [])
    .filter(({ id }) => !known.some(({ userId }) => userId === id))
    .slice(0, SHOWN);
  const add = ({ id, name }: { id: string; name: string }) => {
    onAdd({ userId: id, name, right: 'viewer' });
    setTyped('');
  };
  return (
    <div>
      <TextInput
        label="Add people"
        type="search"
        placeholder="Name of a member or service account"
        value={typed}
        autoComplete="off"
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          // Not the form.
          event.preventDefault();
          const [first] = found;
          if (first && words === typed.trim() && !search.isPlaceholderData) add(first);
        }}
      />
      {isOpen && search.error && <FailureAlert error={search.error} />}
      {isOpen && search.data && (
        <ul className={classes.foundPeople} aria-label="Found people">
          {found.map(({ id, name, role }) => (
            <li key={id}>
              <Button
                size="compact-sm"
                variant="subtle"
                leftSection={<Icon name="add" size={14} />}
                onClick={() => {
                  add({ id, name });
                }}
              >
                {name}
              </Button>
              <small>{role}</small>
            </li>
          ))}
          {found.length === 0 && !search.isPlaceholderData && (
            <li>
              <small role="status">No one else matches “{words}”.</small>
            </li>
          )}
        </ul>
      )}
    </div>
  );
}

/** Returns the roles of members and service accounts by ID. Unknown ones are beyond the first page. */
function useRoles() {
  const { id: accountId, api } = useAccount();
  const { data } = useQuery({
    queryKey: [accountId, 'members', 'roles'],
    queryFn: () => dataOf(api.GET('/v1/members', { params: { query: { limit: LARGEST_PAGE } } })),
    staleTime: 60_000,
  });
  return (userId: string) => data?.find(({ id }) => id === userId)?.role;
}

/** The people of the folder above, which cannot be changed here. */
function Inherited({ access }: { access: Access['effective'] }) {
  return (
    <ul className={classes.entries} aria-label="People with access">
      {access.people.map(({ userId, name, right }) => (
        <li key={userId}>
          <span className={classes.person} dir="auto">
            {name}
          </span>
          <span>{rightName(right)}</span>
        </li>
      ))}
      <li>
        <span className={classes.person}>Everyone{access.people.length > 0 && ' else'}</span>
        <span>{access.everyone === null ? 'No access' : rightName(access.everyone)}</span>
      </li>
    </ul>
  );
}

/** The keys and apps that are limited to folders, and reach this one. */
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
