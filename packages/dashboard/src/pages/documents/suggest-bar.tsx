import { Button, Group, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { dataOf } from '../../api/client.js';
import { asFailure, Failure } from '../../api/failure.js';
import { useAccount } from '../../api/session.js';
import { FormDialog } from '../../components/dialog.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { showDone, showNotice } from '../../components/messages.js';
import { countOf } from '../../components/numbers.js';
import { useSearchState } from '../../search-state.js';
import type { DocumentSession, SessionView } from './editor/document-session.js';
import { storedTexts } from './editor/texts.js';
import classes from './suggest-bar.module.css';

/** Maximum length of a message, in characters. */
const LONGEST_MESSAGE = 1_000;

interface SuggestBarProps {
  session: DocumentSession;
  view: SessionView;
}

/** Sends or discards a suggestion. Until then, it exists only in this browser. */
export default function SuggestBar({ session, view }: SuggestBarProps) {
  const { id: accountId, api } = useAccount();
  const queryClient = useQueryClient();
  const [, change] = useSearchState();
  const [isAsking, setAsking] = useState(false);
  const { document, suggesting, isUnsaved } = view;
  const message = suggesting?.message ?? '';
  const problem = session.detailsProblem;
  const stop = () => {
    session.stopSuggesting();
    // The focused button goes with the bar.
    session.editor.focus();
  };
  const send = useMutation({
    mutationFn: async () => {
      const { id = '', title, content, version } = document ?? {};
      const yours = storedTexts(session.autosave.yours);
      const metadata = session.suggestedMetadata;
      const body = {
        ...(yours.content !== content && { content: yours.content }),
        ...(yours.title !== title && { title: yours.title }),
        ...(metadata && { metadata }),
        ...(message.trim() !== '' && { message: message.trim() }),
        ...(version !== undefined && { baseVersion: version }),
      };
      const params = { path: { id } };
      return dataOf(api.POST('/v1/documents/{id}/proposals', { params, body }));
    },
    onSuccess: ({ id, dropped }) => {
      stop();
      showDone('Proposal sent.');
      const left = reasonsOf(dropped);
      if (left !== '') showNotice(`Some changes were left out: ${left}.`);
      void queryClient.invalidateQueries({ queryKey: [accountId, 'proposals'] });
      change({ panel: 'check', proposal: id });
    },
    onError: (error) => {
      // Merges what others have changed meanwhile.
      if (asFailure(error).details.overlaps) session.hearOf(undefined);
    },
  });
  useStartInText(session, !isUnsaved);
  return (
    <section className={classes.bar} aria-label="Your suggestion">
      <p>
        <strong>You are suggesting changes.</strong> The document stays as it is until somebody
        accepts them.
      </p>
      <Textarea
        label="Message"
        placeholder="Why you suggest this (optional)"
        autosize
        maxRows={5}
        maxLength={LONGEST_MESSAGE}
        value={message}
        onChange={({ currentTarget }) => {
          session.describeSuggestion(currentTarget.value);
        }}
      />
      {problem !== undefined && (
        <Text size="sm" c="red" role="alert">
          {problem}
        </Text>
      )}
      {send.error && <FailureAlert error={inPlainWords(send.error)} />}
      <Group gap={8}>
        <Button
          size="sm"
          loading={send.isPending}
          disabled={!isUnsaved || problem !== undefined}
          onClick={() => {
            send.mutate();
          }}
        >
          Send proposal
        </Button>
        <Button
          size="sm"
          variant="default"
          onClick={() => {
            if (isUnsaved) setAsking(true);
            else stop();
          }}
        >
          Discard
        </Button>
        {!isUnsaved && (
          <Text size="sm" c="dimmed">
            Edit the title, the text or the metadata.
          </Text>
        )}
      </Group>
      {isAsking && (
        <FormDialog
          title="Discard suggestion"
          submit="Discard suggestion"
          color="red"
          submission={{ isPending: false, error: null }}
          onSubmit={() => {
            setAsking(false);
            stop();
          }}
          onClose={() => {
            setAsking(false);
          }}
        >
          <Text size="sm">Your changes to this document will be lost.</Text>
        </FormDialog>
      )}
    </section>
  );
}

/** Moves the focus to the text when a suggestion starts, but not when it is restored. */
function useStartInText({ editor }: DocumentSession, isNew: boolean): void {
  const [wantsFocus] = useState(isNew);
  useEffect(() => {
    if (!wantsFocus) return undefined;
    // After the menu has returned the focus.
    const timer = setTimeout(() => {
      editor.focus();
    }, 50);
    return () => {
      clearTimeout(timer);
    };
  }, [editor, wantsFocus]);
}

/** Explains why the service refused a proposal, and what to do. */
function inPlainWords(error: unknown): Failure {
  const failure = asFailure(error);
  const { dropped, overlaps } = failure.details;
  const say = (message: string) => new Failure(message, failure.status);
  if (overlaps) {
    return say(
      'Someone else has changed the same passage. Their changes are now in your text. Check it, then send again.',
    );
  }
  const reasons = reasonsOf((dropped ?? {}) as Record<string, number>);
  if (reasons !== '') {
    return say(`Nothing to send: ${reasons}. Suggest other words, or discard the suggestion.`);
  }
  return failure;
}

/** What the service says about changes that it leaves out. */
const REASONS: Readonly<Record<string, string>> = {
  rejected: 'rejected before',
  'already proposed': 'already in an open proposal',
  'changed since': 'no longer applicable, because the text has changed',
  'no change': 'without effect',
};

function reasonsOf(dropped: Readonly<Record<string, number>>): string {
  return Object.entries(dropped)
    .map(([reason, count]) => {
      const verb = count === 1 ? 'is' : 'are';
      return `${countOf(count, 'change')} ${verb} ${REASONS[reason] ?? reason}`;
    })
    .join(', ');
}
