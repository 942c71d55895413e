import { Button, Group, Text } from '@mantine/core';
import { useAllowance } from '../../../components/use-allowance.js';
import { FindingNotes, TurnOffRule } from '../analysis/finding-notes.js';
import { Card, type CardProps } from './card.js';
import classes from './margin.module.css';
import type { Suggestion } from './use-suggestions.js';

/** Maximum number of replacements on a card. */
const SHOWN_REPLACEMENTS = 4;

interface SuggestionCardProps extends CardProps {
  suggestion: Suggestion;
  /** False if the passage has changed. */
  isCurrentText: boolean;
  isRejecting: boolean;
  problem: string | undefined;
  onAccept: (value: string) => void;
  onReject: () => void;
  /** Undefined if the person may not turn rules off. */
  onTurnOff: ((ruleId: string) => void) | undefined;
}

/** A suggestion, with its replacements as buttons. */
export function SuggestionCard(props: SuggestionCardProps) {
  const { suggestion, isCurrentText, isRejecting, problem, onAccept, onReject, ...rest } = props;
  const { onTurnOff, ...card } = rest;
  const { original, message, category, replacements } = suggestion;
  const isHint = replacements.length === 0;
  const writing = useAllowance('documents:write');
  const analyzing = useAllowance('documents:analyze');
  const tabIndex = card.isCurrent ? 0 : -1;
  return (
    <Card {...card} kind="suggestion" name={`${category}: ${original}`}>
      <button type="button" className={classes.passage} tabIndex={tabIndex} onClick={card.onPick}>
        <bdi>{original}</bdi>
      </button>
      <Text size="sm">{message}</Text>
      <FindingNotes finding={suggestion} />
      {!isCurrentText && (
        <Text size="sm" c="dimmed">
          This passage changed.
        </Text>
      )}
      {problem !== undefined && (
        <Text size="sm" c="red" role="alert">
          {problem}
        </Text>
      )}
      <Group gap={6}>
        {isCurrentText &&
          replacements.slice(0, SHOWN_REPLACEMENTS).map(({ value }) => (
            <Button
              key={value}
              size="compact-sm"
              className={classes.replacement}
              tabIndex={tabIndex}
              aria-label={`Accept ${value === '' ? 'the deletion' : value} for ${original}`}
              onClick={() => {
                onAccept(value);
              }}
              {...writing}
            >
              {value.trim() === '' ? 'Delete passage' : value}
            </Button>
          ))}
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          tabIndex={tabIndex}
          disabled={isRejecting}
          aria-label={`${isHint ? 'Dismiss' : 'Reject'} ${original}`}
          onClick={onReject}
          {...analyzing}
        >
          {isHint ? 'Dismiss' : 'Reject'}
        </Button>
        <TurnOffRule finding={suggestion} tabIndex={tabIndex} onTurnOff={onTurnOff} />
      </Group>
    </Card>
  );
}
