import { Button, Group, Stack, Text } from '@mantine/core';
import { asFailure } from '../../../api/failure.js';
import { FailureAlert } from '../../../components/failure-alert.js';
import { countOf } from '../../../components/numbers.js';
import { useAllowance } from '../../../components/use-allowance.js';
import type { DocumentSession } from '../editor/document-session.js';
import classes from '../margin/margin.module.css';
import { ProposedTexts } from './proposed-texts.js';
import type { Enhancement, useSuggestions } from './use-suggestions.js';

interface SuggestionSetProps {
  session: DocumentSession;
  suggestions: ReturnType<typeof useSuggestions>;
  /** Number of suggestions whose passage is unchanged. */
  left: number;
  onAcceptAll: () => void;
}

/** The newest set of generated suggestions. Shows nothing if all of them are decided. */
export function SuggestionSet({ session, suggestions, left, onAcceptAll }: SuggestionSetProps) {
  const { enhancement, newest, suggest, reject } = suggestions;
  const analyzing = useAllowance('documents:analyze');
  const writing = useAllowance('documents:write');
  const error = suggest.error ?? reject.error ?? newest.error;
  const state = enhancement && stateOf(enhancement);
  const isShown = [suggest.isPending, error, state, left > 0].some(Boolean);
  if (!isShown && !enhancement?.texts.length) return null;
  return (
    <Stack gap="xs" className={classes.section ?? ''}>
      {suggest.isPending && <Text size="sm">Getting suggestions…</Text>}
      {error && <FailureAlert error={error} />}
      {state !== undefined && !suggest.isPending && <Text size="sm">{state}</Text>}
      {enhancement && left > 0 && (
        <Group gap={6}>
          <Text size="sm" c="dimmed">
            {countOf(left, 'suggestion')}
          </Text>
          <Button size="compact-sm" variant="default" onClick={onAcceptAll} {...writing}>
            Accept all
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            onClick={() => {
              reject.mutate({ id: enhancement.id, suggestionIds: 'all' });
            }}
            {...analyzing}
          >
            Reject all
          </Button>
        </Group>
      )}
      {enhancement && <ProposedTexts session={session} enhancement={enhancement} />}
    </Stack>
  );
}

/** Returns a sentence about a set that is in progress, failed, or left something out. */
function stateOf({ status, error, warnings }: Enhancement): string | undefined {
  if (status === 'pending') return 'Getting suggestions…';
  if (error) return asFailure(error).message;
  return warnings.length > 0 ? warnings.join(' ') : undefined;
}
