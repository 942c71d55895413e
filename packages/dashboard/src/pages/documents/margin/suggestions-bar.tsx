import { Button, Group, Menu, Stack, Text } from '@mantine/core';
import { lazy, Suspense, useRef } from 'react';
import { asFailure } from '../../../api/failure.js';
import { FailureAlert } from '../../../components/failure-alert.js';
import { formatCount } from '../../../components/numbers.js';
import { LoadingLines } from '../../../components/page-loading.js';
import { isFocusLost } from '../../../components/focus-lost.js';
import { RowMenu } from '../../../components/row-menu.js';
import { useAllowance } from '../../../components/use-allowance.js';
import { useDialogs } from '../../../components/use-dialogs.js';
import { loadPart } from '../../../load-part.js';
import type { DocumentSession } from '../editor/document-session.js';
import { ProposedTexts } from './proposed-texts.js';
import {
  acceptSuggestions,
  type Enhancement,
  type Suggestion,
  type useSuggestions,
} from './use-suggestions.js';

/** Time until a menu has returned the focus, in ms. */
const FOCUS_AFTER = 100;

const GoalsDialog = lazy(() => loadPart(() => import('./goals-dialog.js')));

interface SuggestionsBarProps {
  session: DocumentSession;
  suggestions: ReturnType<typeof useSuggestions>;
}

/** Requests suggestions, and accepts or rejects all of them. */
export function SuggestionsBar({ session, suggestions }: SuggestionsBarProps) {
  const { newest, enhancement, open, suggest, reject, hasModel } = suggestions;
  const analyzing = useAllowance('documents:analyze');
  const writing = useAllowance('documents:write');
  const dialogs = useDialogs();
  const suggestButton = useRef<HTMLButtonElement>(null);
  const left = open.filter(({ id }) => !session.acceptances.has(id));
  const accept = (chosen: readonly Suggestion[]) => {
    if (!enhancement) return;
    const values = chosen.flatMap((suggestion) => {
      const [first] = suggestion.replacements;
      return first ? [{ suggestion, value: first.value }] : [];
    });
    acceptSuggestions(session, enhancement.id, values);
    // The last suggestion removes the button or menu that was used.
    setTimeout(() => {
      if (isFocusLost()) suggestButton.current?.focus();
    }, FOCUS_AFTER);
  };
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Button
          ref={suggestButton}
          size="xs"
          variant={left.length > 0 ? 'default' : 'filled'}
          loading={suggest.isPending}
          onClick={() => {
            suggest.mutate({});
          }}
          {...analyzing}
        >
          Suggest edits
        </Button>
        <Button
          size="xs"
          variant="default"
          onClick={() => {
            dialogs.open('goals');
          }}
          {...analyzing}
        >
          Choose goals
        </Button>
        {left.length > 0 && (
          <>
            <Button
              size="xs"
              title="Accepts all suggestions marked Sure"
              disabled={!left.some(({ safe }) => safe)}
              onClick={() => {
                accept(left.filter(({ safe }) => safe));
              }}
              {...writing}
            >
              Accept safe
            </Button>
            <RowMenu name="all suggestions">
              <Menu.Item
                onClick={() => {
                  accept(left);
                }}
                {...writing}
              >
                Accept all
              </Menu.Item>
              <Menu.Item
                onClick={() => {
                  if (enhancement) reject.mutate({ id: enhancement.id, suggestionIds: 'all' });
                }}
                {...analyzing}
              >
                Reject all
              </Menu.Item>
            </RowMenu>
          </>
        )}
      </Group>
      {suggest.error && <FailureAlert error={suggest.error} />}
      {reject.error && reject.variables.suggestionIds === 'all' && (
        <FailureAlert error={reject.error} />
      )}
      {newest.error && <FailureAlert error={newest.error} onRetry={() => void newest.refetch()} />}
      {newest.isPending && <LoadingLines rows={4} />}
      {newest.data === null && (
        <Text size="sm" c="dimmed">
          No suggestions yet. The text changes only when you accept one.
        </Text>
      )}
      {enhancement && <SetState enhancement={enhancement} left={left.length} />}
      {enhancement && <ProposedTexts session={session} enhancement={enhancement} />}
      <Suspense fallback={null}>
        {dialogs.dialog === 'goals' && (
          <GoalsDialog hasModel={hasModel} suggest={suggest} onClose={dialogs.close} />
        )}
      </Suspense>
    </Stack>
  );
}

/** Shows the state of a set of suggestions. */
function SetState({ enhancement, left }: { enhancement: Enhancement; left: number }) {
  const { status, error, suggestionCounts: counts, suggestions, texts, warnings } = enhancement;
  if (status === 'pending') return <Text size="sm">Generating suggestions…</Text>;
  if (error) return <Text size="sm">{asFailure(error).message}</Text>;
  const notes = warnings.map((warning) => (
    <Text key={warning} size="sm">
      {warning}
    </Text>
  ));
  if (suggestions.length === 0) {
    const isEmpty = texts.length === 0 && warnings.length === 0;
    return isEmpty ? <Text size="sm">Nothing to suggest for this text.</Text> : notes;
  }
  const accepted = counts.accepted + counts.open - left;
  const parts = [
    [left, 'open'],
    [accepted, 'accepted'],
    [counts.rejected, 'rejected'],
    [counts.stale, 'outdated'],
  ] as const;
  return (
    <>
      {notes}
      <Text size="sm" c="dimmed" role="status">
        {parts
          .filter(([count], index) => index === 0 || count > 0)
          .map(([count, name]) => `${formatCount(count)} ${name}`)
          .join(' · ')}
      </Text>
    </>
  );
}
