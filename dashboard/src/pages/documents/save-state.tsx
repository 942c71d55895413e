import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { FailureAlert } from '../../components/failure-alert.js';
import type { AutosaveState } from './editor/autosave.js';
import classes from './document-page.module.css';

/** "Saved", "Saving…" or "Not saved". */
export function SaveState({ status }: Pick<AutosaveState, 'status'>) {
  return (
    <span role="status" aria-label="Saving" className={classes.saveState} data-status={status}>
      {status}
    </span>
  );
}

interface SaveFailureProps {
  state: AutosaveState;
  onSave: () => void;
}

/** Why the text is not saved, and that nothing of it is lost. */
export function SaveFailure({ state, onSave }: SaveFailureProps) {
  const { status, failure } = state;
  if (status !== 'Not saved' || !failure) return null;
  if (!failure.isAway) return <FailureAlert error={failure} onRetry={onSave} />;
  return (
    <Alert role="alert" color="orange" title="The service is away">
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          Your text is kept in this browser, and is saved by itself as soon as the service answers.
          You can go on writing.
        </Text>
        <Group>
          <Button size="xs" variant="default" onClick={onSave}>
            Try again
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
}
