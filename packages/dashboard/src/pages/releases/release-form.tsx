import { Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../api/client.js';
import { asFailure } from '../../api/failure.js';
import { useAccount } from '../../api/session.js';
import { FormDialog, type CloseDialog } from '../../components/dialog.js';
import { showDone } from '../../components/messages.js';
import { useAllowance } from '../../components/use-allowance.js';
import { DocumentPicker } from './document-picker.js';
import { changeOf, requestedItems, useReleasesRefresh, type Release } from './releases.js';
import { TimeField, useTypedTime, useZone, ZoneField } from './time-fields.js';

interface ReleaseFormProps {
  /** Without it, the form creates a release. */
  release?: Release;
  onDone: (release: Release) => void | Promise<void>;
  onClose: CloseDialog;
}

/** Creates a release; or renames it, adds documents and changes its time. */
export function ReleaseForm({ release, onDone, onClose }: ReleaseFormProps) {
  const { api } = useAccount();
  const allowance = useAllowance('documents:write');
  const refresh = useReleasesRefresh();
  const before = release?.items ?? [];
  const [title, setTitle] = useState(release?.title ?? '');
  const [picked, setPicked] = useState<ReadonlyMap<string, string>>(new Map());
  const zoneField = useZone(release?.timeZone);
  const time = useTypedTime(release?.publishAt, zoneField.zone);
  const save = useMutation({
    mutationFn: () => {
      const added = [...picked.keys()].map((id) => ({ id, action: 'publish' as const }));
      const body = {
        title,
        publishAt: time.at?.toISOString() ?? null,
        timeZone: time.at ? zoneField.zone : null,
        items: [...(release ? requestedItems(release) : []), ...added],
      };
      return dataOf(
        release
          ? api.PATCH('/v1/releases/{id}', { params: changeOf(release), body })
          : api.POST('/v1/releases', { body }),
      );
    },
    onSuccess: async (saved) => {
      showDone('Release saved.');
      await onDone(saved);
    },
    onSettled: refresh,
  });
  const problemBelow = (field: string) =>
    save.error === null ? undefined : asFailure(save.error).problemBelow(field);
  const name = release ? 'Edit release' : 'Create release';
  return (
    <FormDialog
      title={name}
      submit={release ? 'Save release' : name}
      size="lg"
      whyNot={allowance.title}
      submission={save}
      disabled={
        title.trim() === '' ||
        before.length + picked.size === 0 ||
        !(time.at ?? time.isEmpty) ||
        !zoneField.isKnown
      }
      onSubmit={() => {
        save.mutate();
      }}
      onClose={onClose}
    >
      <TextInput
        label="Title"
        maxLength={200}
        data-autofocus
        value={title}
        error={problemBelow('title')}
        onChange={({ currentTarget }) => {
          setTitle(currentTarget.value);
        }}
      />
      <DocumentPicker
        picked={picked}
        without={before}
        error={problemBelow('items')}
        onChange={setPicked}
      />
      <TimeField
        label="Publish at"
        description="Leave empty to publish it yourself."
        time={time}
        error={problemBelow('publishAt')}
      />
      {!time.isEmpty && <ZoneField {...zoneField} />}
      <Text size="sm" role="status">
        {time.at
          ? 'Versions are fixed when a document gets a time: later changes stay drafts.'
          : 'The versions that are current when you publish the release go live.'}
      </Text>
    </FormDialog>
  );
}
