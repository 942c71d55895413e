import { Checkbox, NativeSelect, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import { FormDialog, type CloseDialog } from '../../components/dialog.js';
import { showDone } from '../../components/messages.js';
import { useAllowance } from '../../components/use-allowance.js';
import type { DocumentSession } from '../documents/editor/document-session.js';
import { problemOf } from '../people/person-fields.js';
import {
  changeOf,
  requestedItems,
  usePendingReleases,
  useReleasesRefresh,
  type ReleaseItem,
} from './releases.js';
import { goesLive, NOT_SAVED, useSavedDocument } from './use-saved-document.js';

interface AddToReleaseProps {
  session: DocumentSession;
  onClose: CloseDialog;
}

/** Puts the document into an open or scheduled release, or into a new one. */
export default function AddToRelease({ session, onClose }: AddToReleaseProps) {
  const { api } = useAccount();
  const allowance = useAllowance('documents:write');
  const refresh = useReleasesRefresh();
  const { id, version, isPublished, isSaved } = useSavedDocument(session);
  const { data: pending = [] } = usePendingReleases();
  const [chosen, setChosen] = useState('');
  const [newTitle, setTitle] = useState('');
  const [action, setAction] = useState<ReleaseItem['action']>('publish');
  const possible = pending.filter(
    ({ title, items, hiddenItems }) =>
      title !== null && hiddenItems === 0 && !items.some((item) => item.id === id),
  );
  const release = possible.find((one) => one.id === chosen);
  const isFixed = action === 'publish' && release?.status === 'scheduled';
  const add = useMutation({
    mutationFn: () => {
      const item = { id, action, ...(isFixed && { version }) };
      if (!release) {
        return dataOf(api.POST('/v1/releases', { body: { title: newTitle, items: [item] } }));
      }
      const body = { items: [...requestedItems(release), item] };
      return dataOf(api.PATCH('/v1/releases/{id}', { params: changeOf(release), body }));
    },
    onSuccess: async ({ title }) => {
      showDone(`Added to ${title ?? ''}.`);
      await onClose();
    },
    onSettled: refresh,
  });
  return (
    <FormDialog
      title="Add to release"
      submit="Add to release"
      whyNot={allowance.title}
      submission={add}
      disabled={!isSaved || (!release && newTitle.trim() === '')}
      onSubmit={() => {
        add.mutate();
      }}
      onClose={onClose}
    >
      <NativeSelect
        label="Release"
        data={[
          { value: '', label: 'New release' },
          ...possible.map((one) => ({ value: one.id, label: one.title ?? '' })),
        ]}
        value={chosen}
        error={problemOf(add.error, 'items')}
        onChange={({ currentTarget }) => {
          setChosen(currentTarget.value);
        }}
      />
      {!release && (
        <TextInput
          label="Title"
          maxLength={200}
          value={newTitle}
          error={problemOf(add.error, 'title')}
          onChange={({ currentTarget }) => {
            setTitle(currentTarget.value);
          }}
        />
      )}
      {isPublished && (
        <Checkbox
          label="Unpublish the document in this release"
          checked={action === 'unpublish'}
          onChange={({ currentTarget }) => {
            setAction(currentTarget.checked ? 'unpublish' : 'publish');
          }}
        />
      )}
      <Text size="sm" role="status">
        {isSaved ? isFixed && goesLive(version) : NOT_SAVED}
      </Text>
    </FormDialog>
  );
}
