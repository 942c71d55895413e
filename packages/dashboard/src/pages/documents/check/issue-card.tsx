import { Button, Group, Menu, Text } from '@mantine/core';
import { useState } from 'react';
import { RowMenu } from '../../../components/row-menu.js';
import { useAllowance } from '../../../components/use-allowance.js';
import { Card, type CardProps } from '../margin/card.js';
import classes from '../margin/margin.module.css';
import type { Issue } from './checker.js';

/** Maximum number of replacements on a card. */
const SHOWN_REPLACEMENTS = 3;

/** What an issue of a check and a generated suggestion have in common. */
export type ShownIssue = Pick<
  Issue,
  'ruleId' | 'original' | 'message' | 'explanation' | 'replacements' | 'safe'
> & { category: Issue['category'] | 'proposal' };

interface IssueCardProps extends CardProps {
  kind: 'issue' | 'suggestion';
  issue: ShownIssue;
  /** Undefined if the person may not do it, as all actions below. */
  onAccept: ((value: string) => void) | undefined;
  onIgnore: (() => void) | undefined;
  onAddWord: (() => void) | undefined;
  onTurnOff: (() => void) | undefined;
}

/** An issue or a suggestion: its best replacement is the main action. */
export function IssueCard(props: IssueCardProps) {
  const { kind, issue, onAccept, onIgnore, onAddWord, onTurnOff, ...card } = props;
  const { original, message, explanation, category, replacements } = issue;
  const [showsRule, setShowsRule] = useState(false);
  const writing = useAllowance('documents:write');
  const tabIndex = card.isCurrent ? 0 : -1;
  return (
    <Card {...card} kind={kind} name={`${category}: ${original}`}>
      <div className={classes.issueHead}>
        <button type="button" className={classes.passage} tabIndex={tabIndex} onClick={card.onPick}>
          <bdi>{original}</bdi>
        </button>
        <RowMenu name={original} tabIndex={tabIndex}>
          {onAddWord && <Menu.Item onClick={onAddWord}>Add to dictionary</Menu.Item>}
          {onTurnOff && <Menu.Item onClick={onTurnOff}>Turn off rule</Menu.Item>}
          <Menu.Item
            onClick={() => {
              setShowsRule(!showsRule);
            }}
          >
            {showsRule ? 'Hide rule' : 'Show rule'}
          </Menu.Item>
        </RowMenu>
      </div>
      <span className={classes.message}>{message}</span>
      {showsRule && (
        <Text size="xs" c="dimmed" className={classes.rule ?? ''}>
          {explanation !== message && <>{explanation} </>}
          Rule <code>{issue.ruleId}</code> · {certaintyOf(issue)}
        </Text>
      )}
      <Group gap={4}>
        {onAccept &&
          replacements.slice(0, SHOWN_REPLACEMENTS).map(({ value }, index) => (
            <Button
              key={value}
              size="compact-sm"
              variant={index === 0 ? 'filled' : 'subtle'}
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
        {onIgnore && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            tabIndex={tabIndex}
            aria-label={`Ignore ${original}`}
            onClick={onIgnore}
          >
            Ignore
          </Button>
        )}
      </Group>
    </Card>
  );
}

/** Returns `Sure` for replacements that can be accepted unread. */
function certaintyOf({ safe, replacements }: Pick<Issue, 'safe' | 'replacements'>): string {
  const [first] = replacements;
  if (!first) return 'No replacement';
  return safe ? 'Sure' : `${String(Math.round(first.confidence * 100))}% sure`;
}
