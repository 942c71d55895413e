import { Button, Group, Text } from '@mantine/core';
import { useAllowance } from '../../../components/use-allowance.js';
import type { OpenConflict } from '../editor/conflicts.js';
import { OTHER_TAB, type Choice } from '../editor/document-session.js';
import { Card, type CardProps } from './card.js';
import classes from './margin.module.css';

interface ConflictCardProps extends CardProps {
  conflict: Pick<OpenConflict, 'by' | 'yours' | 'theirs'>;
  /** What both sides changed: `this` passage or the title. */
  subject?: 'this' | 'the title';
  choices?: readonly Choice[];
  /** True in a suggestion, which people who may not write can edit, too. */
  isSuggestion: boolean;
  onDecide: (choice: Choice) => void;
}

const CHOICES: readonly Choice[] = ['yours', 'theirs', 'both'];

/** A passage that somebody else changed, too. */
export function ConflictCard(props: ConflictCardProps) {
  const { conflict, subject = 'this', choices = CHOICES, isSuggestion, onDecide, ...card } = props;
  const { yours, theirs, by } = conflict;
  const allowance = useAllowance('documents:write');
  const names = namesOf(by);
  return (
    <Card {...card} kind="conflict" name={`${by ?? 'Someone'} also changed ${subject}`}>
      <Text size="sm" fw={500}>
        {by ?? 'Someone'} also changed {subject}
      </Text>
      <dl className={classes.sides}>
        <dt>Yours</dt>
        <dd>
          <Passage text={yours} look="yours" />
        </dd>
        <dt>{by ?? 'Theirs'}</dt>
        <dd>
          <Passage text={theirs} look="theirs" />
        </dd>
      </dl>
      <Group gap={6}>
        {choices.map((choice) => (
          <Button
            key={choice}
            size="compact-sm"
            variant="default"
            tabIndex={card.isCurrent ? 0 : -1}
            onClick={() => {
              onDecide(choice);
            }}
            {...(!isSuggestion && allowance)}
          >
            {names[choice]}
          </Button>
        ))}
      </Group>
    </Card>
  );
}

/** Label of the button that takes the other side's words. */
export function nameOfTheirs(by: string | undefined): string {
  if (by === OTHER_TAB) return 'Use the other text';
  return by === undefined ? 'Use theirs' : `Use ${by}'s`;
}

function namesOf(by: string | undefined): Record<Choice, string> {
  return {
    yours: 'Keep mine',
    theirs: nameOfTheirs(by),
    both: 'Keep both',
  };
}

/** Maximum length of a passage that a card shows in full, in characters. */
const LONGEST = 400;

/** Words that a change removes (`yours`) or adds. */
export function Passage({ text, look }: { text: string; look: 'yours' | 'theirs' }) {
  if (text === '') return <span className={classes.deleted}>Deleted</span>;
  const isLong = text.length > LONGEST;
  const shown = isLong ? `${text.slice(0, LONGEST)}…` : text;
  return look === 'yours' ? (
    <del className={classes.yours} dir="auto">
      {shown}
    </del>
  ) : (
    <ins className={classes.theirs} dir="auto">
      {shown}
    </ins>
  );
}
