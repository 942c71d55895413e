import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import type { components } from '../../api/v1-schema.js';
import { FormDialog, type CloseDialog } from '../../components/dialog.js';
import { showDone } from '../../components/messages.js';
import { useAllowance } from '../../components/use-allowance.js';
import type { DocumentSession } from '../documents/editor/document-session.js';
import { problemOf } from '../people/person-fields.js';
import { usePendingReleases, useReleasesRefresh, type Release } from './releases.js';
import { areComplete, TimeField, useTypedTime, useZone, ZoneField } from './time-fields.js';
import { goesLive, NOT_SAVED, useSavedDocument } from './use-saved-document.js';

interface ScheduleDocumentProps {
  session: DocumentSession;
  onClose: CloseDialog;
}

/** Sets when the text on the screen is published and unpublished. */
export default function ScheduleDocument({ session, onClose }: ScheduleDocumentProps) {
  const { data } = usePendingReleases(session.documentId);
  return data && <ScheduleForm session={session} pending={data} onClose={onClose} />;
}

type ScheduleFormProps = ScheduleDocumentProps & { pending: readonly Release[] };

function ScheduleForm({ session, pending, onClose }: ScheduleFormProps) {
  const allowance = useAllowance('documents:write');
  const { id, version: current, isSaved } = useSavedDocument(session);
  const [before] = useState(() => pending.filter(({ title }) => title === null));
  const publishes = before.find(({ items }) => items[0]?.action === 'publish');
  const unpublishes = before.find((one) => one !== publishes);
  const zoneField = useZone(before[0]?.timeZone);
  const publish = useTypedTime(publishes?.publishAt, zoneField.zone);
  const unpublish = useTypedTime(unpublishes?.publishAt, zoneField.zone);
  const scheduled = publishes?.items[0]?.version ?? current;
  const [version = current, setVersion] = useState(publishes && scheduled);
  const change = useScheduleChange(id, onClose);
  return (
    <FormDialog
      title="Schedule"
      submit="Save schedule"
      whyNot={allowance.title}
      submission={change}
      disabled={!areComplete([publish, unpublish]) || !zoneField.isKnown || !isSaved}
      onSubmit={() => {
        change.mutate({
          timeZone: zoneField.zone,
          ...(publish.at && { publishAt: publish.at.toISOString(), version }),
          ...(unpublish.at && { unpublishAt: unpublish.at.toISOString() }),
        });
      }}
      onClose={onClose}
    >
      <TimeField label="Publish at" time={publish} error={problemOf(change.error, 'publishAt')} />
      {scheduled !== current && (
        <NativeSelect
          label="Version"
          data={[
            { value: String(scheduled), label: `Version ${String(scheduled)}, as scheduled` },
            { value: String(current), label: `Version ${String(current)}, the current text` },
          ]}
          value={String(version)}
          onChange={({ currentTarget }) => {
            setVersion(Number(currentTarget.value));
          }}
        />
      )}
      <Text size="sm" role="status">
        {isSaved ? publish.at && goesLive(version) : NOT_SAVED}
      </Text>
      <TimeField
        label="Unpublish at"
        description="Leave empty if readers keep it."
        time={unpublish}
        error={problemOf(change.error, 'unpublishAt')}
      />
      <ZoneField {...zoneField} />
      {before.length > 0 && (
        <Group>
          <Button
            color="red"
            variant="outline"
            onClick={() => {
              change.mutate(undefined);
            }}
            {...allowance}
          >
            Cancel schedule
          </Button>
        </Group>
      )}
    </FormDialog>
  );
}

type Schedule = components['schemas']['PutSchedule'];

/** Replaces the schedule of a document, or cancels it, and closes the dialog. */
function useScheduleChange(id: string, onClose: CloseDialog) {
  const { api } = useAccount();
  const refresh = useReleasesRefresh();
  const params = { path: { id } };
  return useMutation({
    mutationFn: (body: Schedule | undefined): Promise<unknown> =>
      body
        ? dataOf(api.PUT('/v1/documents/{id}/schedule', { params, body }))
        : dataOf(api.DELETE('/v1/documents/{id}/schedule', { params })),
    onSuccess: async (_, body) => {
      showDone(body ? 'Schedule saved.' : 'Schedule canceled.');
      await onClose();
      await refresh();
    },
  });
}
