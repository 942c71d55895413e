import { Button, Group } from '@mantine/core';
import { Card, type CardProps } from '../margin/card.js';
import { Passage } from '../margin/conflict-card.js';
import classes from '../margin/margin.module.css';

interface ChangeCardProps extends CardProps {
  /** The field, or who proposes a change of the text. */
  title: string;
  from: string;
  to: string;
  /** Why it is proposed. */
  message: string | undefined;
  /** Undefined if the person may not decide, as `onReject`. */
  onAccept: (() => void) | undefined;
  onReject: (() => void) | undefined;
}

/** A proposed change of a passage or a field. */
export function ChangeCard(props: ChangeCardProps) {
  const { title, from, to, message, onAccept, onReject, ...card } = props;
  const tabIndex = card.isCurrent ? 0 : -1;
  const what = briefly(to === '' ? `deletion of ${from}` : to);
  return (
    <Card {...card} kind="suggestion" name={`${title}: ${what}`}>
      <button type="button" className={classes.title} tabIndex={tabIndex} onClick={card.onPick}>
        <bdi>{title}</bdi>
      </button>
      <Change from={from} to={to} />
      {message !== undefined && (
        <span className={classes.message} dir="auto">
          {message}
        </span>
      )}
      {onAccept && onReject && (
        <Group gap={4}>
          <Button
            size="compact-sm"
            tabIndex={tabIndex}
            aria-label={`Accept ${what}`}
            onClick={onAccept}
          >
            Accept
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            tabIndex={tabIndex}
            aria-label={`Reject ${what}`}
            onClick={onReject}
          >
            Reject
          </Button>
        </Group>
      )}
    </Card>
  );
}

/** The removed and the added words. */
export function Change({ from, to }: { from: string; to: string }) {
  return (
    <span className={classes.change}>
      {from !== '' && <Passage text={from} look="yours" />}
      {to !== '' && <Passage text={to} look="theirs" />}
    </span>
  );
}

/** Maximum length of words in an accessible name. */
const LONGEST_NAME = 80;

function briefly(words: string): string {
  return words.length > LONGEST_NAME ? `${words.slice(0, LONGEST_NAME)}…` : words;
}
