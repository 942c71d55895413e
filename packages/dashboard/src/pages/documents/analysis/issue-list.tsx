import { Badge, Button, Group, Text } from '@mantine/core';
import { useEffect } from 'react';
import type { components } from '../../../api/v1-schema.js';
import { showDone } from '../../../components/messages.js';
import { countOf } from '../../../components/numbers.js';
import type { useAllowance } from '../../../components/use-allowance.js';
import classes from '../document-page.module.css';
import { FindingNotes, TurnOffRule } from './finding-notes.js';
import { jumpToPassage, type TextPanelProps } from './text-marks.js';

export type Issue = components['schemas']['Issue'];

const SHOWN_ISSUES = 200;

const SEVERITIES = { error: 'red', warning: 'orange', style: 'blue' } as const;

interface IssueListProps extends TextPanelProps {
  issues: readonly Issue[];
  allowance: ReturnType<typeof useAllowance>;
  onDismiss: (issue: Issue) => void;
  /** Turns a rule off. Undefined if the person may not do that. */
  onTurnOff: ((ruleId: string) => void) | undefined;
}

/** Shows the issues of an analysis with their passages. */
export function IssueList(props: IssueListProps) {
  const { issues, allowance, onDismiss, onTurnOff, picked, session } = props;
  useEffect(() => {
    if (picked !== undefined) {
      document.getElementById(`issue-${picked}`)?.scrollIntoView({ block: 'nearest' });
    }
  }, [picked]);
  if (issues.length === 0) return <Text size="sm">No issues found.</Text>;
  return (
    <div>
      <Text size="sm" fw={600}>
        {countOf(issues.length, 'issue')}
      </Text>
      <ul className={classes.issues} aria-label="Issues">
        {issues.slice(0, SHOWN_ISSUES).map((issue) => (
          <li
            key={issue.id}
            id={`issue-${issue.id}`}
            className={classes.issue}
            data-picked={issue.id === picked || undefined}
          >
            <button
              type="button"
              className={classes.passage}
              onClick={() => {
                if (!jumpToPassage(session, issue)) showDone('This passage changed.');
              }}
            >
              {issue.original}
            </button>
            <Text size="sm">{issue.message}</Text>
            {issue.replacements[0] && (
              <Text size="sm" c="dimmed">
                Suggestion:{' '}
                {issue.replacements
                  .map(({ value }) => value)
                  .slice(0, 3)
                  .join(', ')}
              </Text>
            )}
            <FindingNotes finding={issue} />
            <Group gap={4} mt={4}>
              <Badge size="sm" color={SEVERITIES[issue.severity]} tt="none">
                {issue.category}
              </Badge>
              <TurnOffRule finding={issue} onTurnOff={onTurnOff} />
              <Button
                size="compact-xs"
                variant="subtle"
                ml="auto"
                aria-label={`Dismiss ${issue.original}`}
                onClick={() => {
                  onDismiss(issue);
                }}
                {...allowance}
              >
                Dismiss
              </Button>
            </Group>
          </li>
        ))}
      </ul>
    </div>
  );
}
