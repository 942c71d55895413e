import { Button, Group, Modal, Stack, type ButtonProps } from '@mantine/core';
import type { ReactNode, SubmitEvent } from 'react';
import { FailureAlert } from './failure-alert.js';
import { useReturnFocus } from './return-focus.js';

interface DialogProps {
  /** The name of the dialog, which is that of the button that opened it. */
  title: string;
  onClose: () => void;
  size?: string;
  children: ReactNode;
}

/** A dialog without a form. */
export function Dialog({ title, onClose, size = 'md', children }: DialogProps) {
  useReturnFocus();
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={size}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {children}
    </Modal>
  );
}

/** The parts of TanStack Query's mutation that a form needs. */
export interface Submission {
  isPending: boolean;
  error: unknown;
}

interface FormDialogProps extends DialogProps {
  /** The button that submits. */
  submit: string;
  onSubmit: () => void;
  submission: Submission;
  color?: ButtonProps['color'];
  /** Whether there is something to submit. */
  disabled?: boolean;
}

/** A dialog that asks, submits, and says why it could not. */
export function FormDialog(props: FormDialogProps) {
  const { title, onClose, size, children, submit, onSubmit, submission, color, disabled } = props;
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Dialog title={title} onClose={onClose} {...(size !== undefined && { size })}>
      <form onSubmit={send} noValidate>
        <Stack>
          {children}
          {submission.error !== null && submission.error !== undefined && (
            <FailureAlert error={submission.error} />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              type="submit"
              loading={submission.isPending}
              disabled={disabled === true}
              {...(color !== undefined && { color })}
            >
              {submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
