import { Badge, Button, Group, Text } from '@mantine/core';
import { useEffect } from 'react';
import type { components } from '../../../api/v1-schema.js';
import { showDone } from '../../../components/messages.js';
import { countOf } from '../../../components/numbers.js';
import type { useAllowance } from '../../../components/use-allowance.js';
import classes from '../document-page.module.css';
import { jumpToPassage, type TextPanelProps } from './text-marks.js';

export type Issue = components['schemas']['Issue'];

/** Maximum number of issues to list. */
const SHOWN_ISSUES = 200;

const SEVERITIES = { error: 'red', warning: 'orange', style: 'blue' } as const;

interface IssueListProps extends TextPanelProps {
  issues: readonly Issue[];
  allowance: ReturnType<typeof useAllowance>;
  onDismiss: (issue: Issue) => void;
}

/** What an analysis found, with the passages. */
export function IssueList({ issues, allowance, onDismiss, picked, session }: IssueListProps) {
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
            <Group justify="space-between" mt={4}>
              <Badge size="sm" color={SEVERITIES[issue.severity]} tt="none">
                {issue.category}
              </Badge>
              <Button
                size="compact-xs"
                variant="subtle"
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
