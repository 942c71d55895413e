import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Scope } from '../api/session.js';
import { FormDialog, type CloseDialog } from './dialog.js';
import { useAllowance } from './use-allowance.js';

interface ConfirmDialogProps<Result> {
  /** Title of the dialog and label of its button, such as "Delete template". */
  title: string;
  scope: Scope;
  /** True for actions that cannot be undone. */
  isDangerous?: boolean;
  run: () => Promise<Result>;
  /** Called after the action, while the dialog is still open. */
  onDone: (result: Result) => void | Promise<void>;
  onClose: CloseDialog;
  /** Describes what will happen. */
  children: ReactNode;
}

/** Asks for confirmation, runs the action, and shows why it failed. */
export function ConfirmDialog<Result>(props: ConfirmDialogProps<Result>) {
  const { title, scope, isDangerous = false, run, onDone, onClose, children } = props;
  const allowance = useAllowance(scope);
  const action = useMutation({ mutationFn: run, onSuccess: onDone });
  return (
    <FormDialog
      whyNot={allowance.title}
      title={title}
      submit={title}
      {...(isDangerous && { color: 'red' })}
      submission={action}
      onSubmit={() => {
        action.mutate();
      }}
      onClose={onClose}
    >
      <Text size="sm">{children}</Text>
    </FormDialog>
  );
}

interface RestoreVersionProps {
  number: number;
  scope: Scope;
  /** Where the current text stays available. */
  keptIn: string;
  /** Returns the number of the new version. */
  restore: () => Promise<number>;
  onDone: (newNumber: number) => void | Promise<void>;
  onClose: CloseDialog;
}

/** Asks for confirmation, then restores a version of a document or template. */
export function RestoreVersion({ number, scope, keptIn, restore, ...rest }: RestoreVersionProps) {
  return (
    <ConfirmDialog title="Restore this version" scope={scope} run={restore} {...rest}>
      Restoring version {number} creates a new version. The current text stays in {keptIn}.
    </ConfirmDialog>
  );
}
