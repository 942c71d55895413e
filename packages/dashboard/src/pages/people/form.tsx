import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode, SubmitEvent } from 'react';
import type { Submission } from '../../components/dialog.js';
import { FailureAlert } from '../../components/failure-alert.js';

interface FormProps {
  /** Label of the submit button. */
  submit: string;
  onSubmit: () => void;
  submission: Submission;
  disabled?: boolean;
  /** Why the person may not submit the form. */
  whyNot?: string | undefined;
  /** True for a button with the full width. */
  wide?: boolean;
  /** Shown next to the button. */
  beside?: ReactNode;
  children: ReactNode;
}

/** A form on a page. Enter submits it. Shows why it failed. */
export function Form(props: FormProps) {
  const {
    submit,
    onSubmit,
    submission,
    disabled = false,
    whyNot,
    wide = false,
    beside,
    children,
  } = props;
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    if (!submission.isPending) onSubmit();
  };
  return (
    <form onSubmit={send} noValidate>
      <Stack>
        {children}
        {submission.error !== null && submission.error !== undefined && (
          <FailureAlert error={submission.error} />
        )}
        <Group>
          <Button
            type="submit"
            fullWidth={wide}
            loading={submission.isPending}
            disabled={disabled || whyNot !== undefined}
            title={whyNot}
          >
            {submit}
          </Button>
          {beside}
        </Group>
      </Stack>
    </form>
  );
}
