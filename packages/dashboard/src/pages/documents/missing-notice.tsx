import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { CopyButton } from '../../components/copy-button.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { useAllowance } from '../../components/use-allowance.js';
import type { DocumentSession, SessionView } from './editor/document-session.js';

const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

interface MissingNoticeProps {
  session: DocumentSession;
  view: SessionView;
}

/** Reports that the document was deleted, and offers to save its text. */
export function MissingNotice({ session, view }: MissingNoticeProps) {
  const { presence, texts, isUnsaved, restoredAt, state } = view;
  const allowance = useAllowance('documents:write');
  const inTrash = presence === 'trash';
  const restore = useMutation({ mutationFn: () => session.restoreDocument() });
  const saveAsNew = useMutation({ mutationFn: () => session.saveAsNew() });
  const error = restore.error ?? saveAsNew.error;
  const from = restoredAt === undefined ? '' : ` from ${TIME.format(new Date(restoredAt))}`;
  return (
    <Alert
      role="alert"
      color="orange"
      title={
        inTrash ? 'This document was moved to the trash' : 'This document was permanently deleted'
      }
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {isUnsaved
            ? `Your unsaved text${from} is here.`
            : inTrash
              ? 'Restore the document to continue writing.'
              : 'The text of this document is still here.'}
        </Text>
        {error && <FailureAlert error={error} />}
        {!inTrash && state.failure && state.failure.status !== 404 && (
          <FailureAlert error={state.failure} />
        )}
        <Group gap="xs">
          {inTrash && (
            <Button
              size="xs"
              loading={restore.isPending}
              onClick={() => {
                restore.mutate();
              }}
              {...allowance}
            >
              {isUnsaved ? 'Restore and save' : 'Restore'}
            </Button>
          )}
          {(isUnsaved || !inTrash) && (
            <Button
              size="xs"
              variant={inTrash ? 'default' : 'filled'}
              loading={saveAsNew.isPending}
              onClick={() => {
                saveAsNew.mutate();
              }}
              {...allowance}
            >
              Save as new document
            </Button>
          )}
          <CopyButton name="Copy text" text={texts.content} />
        </Group>
      </Stack>
    </Alert>
  );
}
