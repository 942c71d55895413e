import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiUrl } from '../../api/api-url.js';
import { dataOf } from '../../api/client.js';
import { curlCommand } from '../../api/curl.js';
import { useAccount } from '../../api/session.js';
import { AppLink } from '../../components/app-link.js';
import { CodeBlock, prettyJson } from '../../components/code-block.js';
import { CopyButton } from '../../components/copy-button.js';
import { FormDialog, type CloseDialog } from '../../components/dialog.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { ShownOnce } from '../../components/shown-once.js';
import classes from './overview.module.css';

const TITLE = 'Try it';
const HOUR_MS = 3_600_000;
const SCOPES = ['documents:read', 'documents:write'] as const;
const URL_PATH = '/v1/documents';
const BODY = JSON.stringify({ title: 'My first document', content: 'Hello, world.' });

/** Creates a key for one hour, shows it once, and sends a first request with it. */
export function TryIt({ onClose }: { onClose: CloseDialog }) {
  const { id, api } = useAccount();
  const queryClient = useQueryClient();
  const [key, setKey] = useState<string>();
  const create = useMutation({
    mutationFn: () => {
      const expiresAt = new Date(Date.now() + HOUR_MS).toISOString();
      return dataOf(
        api.POST('/v1/keys', { body: { name: TITLE, scopes: [...SCOPES], expiresAt } }),
      );
    },
    // Null is the response to a repeated request, and this one is never repeated.
    onSuccess: async (made) => {
      if (made.key === null) await onClose();
      else setKey(made.key);
      await queryClient.invalidateQueries({ queryKey: [id, 'keys'] });
      await queryClient.invalidateQueries({ queryKey: [id, 'first-steps'] });
    },
    // Only this component holds the key. It is in no cache and no URL.
    gcTime: 0,
  });
  if (key === undefined) {
    return (
      <FormDialog
        title={TITLE}
        submit="Create key"
        submission={create}
        onSubmit={() => {
          create.mutate();
        }}
        onClose={onClose}
      >
        <Text size="sm">
          Creates an API key that can read and write documents for one hour. You then send a request
          with it that creates a document, here or with curl.
        </Text>
      </FormDialog>
    );
  }
  return (
    <ShownOnce title="Key created" label="API key" value={key} copy="Copy key" onClose={onClose}>
      {(onCopied) => <FirstRequest apiKey={key} onUsed={onCopied} />}
    </ShownOnce>
  );
}

interface FirstRequestProps {
  apiKey: string;
  /** Called when the key was copied or is no longer needed. */
  onUsed: () => void;
}

/** The response of the API, as a program gets it. */
interface Received {
  status: number;
  /** Indented JSON. */
  text: string;
  /** Undefined if no document was created. */
  documentId: string | undefined;
}

function FirstRequest({ apiKey, onUsed }: FirstRequestProps) {
  const { id } = useAccount();
  const queryClient = useQueryClient();
  const url = apiUrl(URL_PATH);
  const curl = curlCommand({ method: 'POST', url, key: apiKey, body: BODY });
  const send = useMutation({
    mutationFn: () => sendRequest(url, apiKey),
    onSuccess: async () => {
      onUsed();
      await queryClient.invalidateQueries({ queryKey: [id] });
    },
    gcTime: 0,
  });
  return (
    <Stack gap="sm">
      <CodeBlock name="A first request, curl" text={curl} />
      <Group gap="sm">
        <Button
          size="xs"
          loading={send.isPending}
          onClick={() => {
            send.mutate();
          }}
        >
          Send request
        </Button>
        <CopyButton name="Copy curl" text={curl} onCopied={onUsed} />
      </Group>
      {send.error && <FailureAlert error={send.error} />}
      {send.data && <Response {...send.data} />}
    </Stack>
  );
}

/** Sends the request as another program would: with the key, and without the session. */
async function sendRequest(url: string, apiKey: string): Promise<Received> {
  const response = await fetch(url, {
    method: 'POST',
    credentials: 'omit',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: BODY,
  });
  const body = (await response.json()) as { data?: { id?: string } };
  return { status: response.status, text: prettyJson(body), documentId: body.data?.id };
}

function Response({ status, text, documentId }: Received) {
  const isDone = documentId !== undefined;
  return (
    <>
      <Alert role="status" color={isDone ? 'green' : 'red'} title={`Returned ${String(status)}`}>
        {isDone && (
          <AppLink to="/{-$accountId}/documents/$documentId" params={{ documentId }} td="underline">
            Open “My first document”
          </AppLink>
        )}
      </Alert>
      <div className={classes.response}>
        <CodeBlock name="Response" text={text} />
      </div>
    </>
  );
}
