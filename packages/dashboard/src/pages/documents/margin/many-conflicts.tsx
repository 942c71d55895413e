import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { countOf } from '../../../components/numbers.js';
import { useAllowance } from '../../../components/use-allowance.js';
import type { OpenConflict } from '../editor/conflicts.js';
import { nameOfTheirs } from './conflict-card.js';
import classes from './margin.module.css';
import type { DocumentSession } from '../editor/document-session.js';

interface ManyConflictsProps {
  session: DocumentSession;
  conflicts: readonly OpenConflict[];
  documentId: string;
  /** True in a suggestion, which people who may not write can edit, too. */
  isSuggestion: boolean;
}

/** Shows one card for more conflicts than anybody decides one by one. History has both texts. */
export function ManyConflicts(props: ManyConflictsProps) {
  const { session, conflicts, documentId, isSuggestion } = props;
  const navigate = useNavigate();
  const allowance = useAllowance('documents:write');
  const by = conflicts.at(-1)?.by;
  return (
    <Alert
      className={classes.banner}
      color="orange"
      title={`${by ?? 'Someone'} also changed ${countOf(conflicts.length, 'passage')}`}
    >
      <Stack gap="xs">
        <Text size="sm">Your words there are not saved yet.</Text>
        <Group gap={6}>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              void session.keepCurrentText().then(() =>
                navigate({
                  to: '/{-$accountId}/documents/$documentId/history',
                  params: ((before: object) => ({ ...before, documentId })) as never,
                }),
              );
            }}
          >
            Compare in History
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              session.decide(conflicts, 'yours');
              session.editor.focus();
            }}
            {...(!isSuggestion && allowance)}
          >
            Keep mine
          </Button>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              session.decide(conflicts, 'theirs');
              session.editor.focus();
            }}
            {...(!isSuggestion && allowance)}
          >
            {nameOfTheirs(by)}
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
