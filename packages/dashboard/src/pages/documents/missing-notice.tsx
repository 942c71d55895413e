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

/** Says that the document was deleted, and what can be done with its text. */
export function MissingNotice({ session, view }: MissingNoticeProps) {
  const { presence, texts, isUnsaved, restoredAt, state } = view;
  const allowance = useAllowance('documents:write');
  const inTrash = presence === 'trash';
  const act = useMutation({
    mutationFn: () => (inTrash ? session.restoreDocument() : session.saveAsNew()),
  });
  const from = restoredAt === undefined ? '' : ` from ${TIME.format(new Date(restoredAt))}`;
  const saves = inTrash ? 'Restore the document to save your text' : 'Save it as a new document';
  return (
    <Alert
      role="alert"
      color="orange"
      title={inTrash ? 'This document is in the trash' : 'This document was deleted permanently'}
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {isUnsaved
            ? `Your unsaved text${from} is here. ${saves}, or copy it.`
            : inTrash
              ? 'Restore the document to continue writing.'
              : 'Save the text as a new document, or copy it.'}
        </Text>
        {act.error && <FailureAlert error={act.error} />}
        {!inTrash && state.failure && state.failure.status !== 404 && (
          <FailureAlert error={state.failure} />
        )}
        <Group gap="xs">
          <Button
            size="xs"
            loading={act.isPending}
            onClick={() => {
              act.mutate();
            }}
            {...allowance}
          >
            {inTrash ? 'Restore' : 'Save as new document'}
          </Button>
          <CopyButton name="Copy my text" text={texts.content} />
        </Group>
      </Stack>
    </Alert>
  );
}
