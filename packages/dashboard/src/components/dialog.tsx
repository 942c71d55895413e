import { Alert, Button, Group, Modal, Stack, Text, type ButtonProps } from '@mantine/core';
import { useBlocker, useRouter } from '@tanstack/react-router';
import { useCallback, useRef, useState, type ReactNode, type SubmitEvent } from 'react';
import type { SearchState } from '../search-state.js';
import { NO_BANNER } from '../theme/no-banner.js';
import classes from './dialog.module.css';
import { useAskBeforeLoss } from './ask-before-loss.js';
import { FailureAlert } from './failure-alert.js';
import { useReturnFocus } from './return-focus.js';

/** What a dialog asks before it discards input. */
interface Question {
  title: string;
  sentence: string;
  stay: string;
  leave: string;
}

const UNSAVED_INPUT: Question = {
  title: 'Discard your changes?',
  sentence: 'You have unsaved changes.',
  stay: 'Keep editing',
  leave: 'Discard',
};

/** Closes a dialog. `isLeaving` is true when another navigation removes it from the address anyway. */
export type CloseDialog = (isLeaving?: boolean) => void | Promise<void>;

interface DialogProps {
  /** Title of the dialog: the label of the button that opened it. */
  title: string;
  onClose: CloseDialog;
  size?: string;
  /**
   * True if closing would lose something. Without it, the dialog compares its fields with their values when it opened.
   */
  isUnsaved?: () => boolean;
  question?: Question;
  /** A function receives the callback that closes the dialog, after a question if input would be lost. */
  children: ReactNode | ((close: () => void) => ReactNode);
}

/** A dialog that asks before its input is lost: by Back, Escape, Close, a reload, or another page. */
export function Dialog(props: DialogProps) {
  const { title, onClose, size = 'md', question = UNSAVED_INPUT, children } = props;
  useReturnFocus();
  const fields = useFieldChanges();
  const isUnsaved = props.isUnsaved ?? fields.haveChanged;
  const { close, leave, stay } = useWaysOut(isUnsaved, onClose);
  return (
    <Modal
      opened
      onClose={close}
      title={title}
      size={size}
      centered
      // Locking the scroll would add a style element, which the policy forbids.
      lockScroll={false}
      attributes={NO_BANNER}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <div ref={fields.remember}>
        {typeof children === 'function' ? children(close) : children}
        {leave && isUnsaved() && (
          <Alert role="alert" color="orange" title={question.title} mt="md">
            <Stack gap="xs">
              <Text size="sm">{question.sentence}</Text>
              <Group>
                <Button size="xs" variant="default" autoFocus onClick={stay}>
                  {question.stay}
                </Button>
                <Button size="xs" color="red" onClick={leave}>
                  {question.leave}
                </Button>
              </Group>
            </Stack>
          </Alert>
        )}
      </div>
    </Modal>
  );
}

/** Asks before the dialog is left in any way while `isUnsaved`. `leave` then does what the person wanted. */
function useWaysOut(isUnsaved: () => boolean, onClose: CloseDialog) {
  const router = useRouter();
  const [opened] = useState(() => dialogIn(router.state.location.search));
  // The URL no longer names the dialog: it is closed, but not yet removed from the page.
  const isOpenIn = (search: unknown) => dialogIn(search) === opened;
  const { leave, ask, stay } = useAskBeforeLoss({
    isUnsaved,
    isLosing: ({ current }) => isOpenIn(current.search),
    onLeave: () => void onClose(true),
  });
  // Back also closes a dialog without a URL, and stays on the page.
  useBlocker({
    shouldBlockFn: ({ action, current }) => {
      if (action !== 'BACK' || !isOpenIn(current.search) || isUnsaved()) return false;
      void onClose();
      return true;
    },
    enableBeforeUnload: false,
    disabled: opened !== undefined,
  });
  const close = () => {
    if (isUnsaved()) ask(() => void onClose());
    else void onClose();
  };
  return { close, leave, stay };
}

function dialogIn(search: unknown): string | undefined {
  return (search as SearchState).dialog;
}

/** Compares the fields of an element with their values when it appeared. */
function useFieldChanges() {
  const element = useRef<HTMLElement>(null);
  const before = useRef('');
  const remember = useCallback((found: HTMLElement | null) => {
    element.current = found;
    if (!found) return;
    before.current = valuesIn(found);
    markFirstField(found);
  }, []);
  const haveChanged = () =>
    element.current !== null && valuesIn(element.current) !== before.current;
  return { remember, haveChanged };
}

/** Without it, the Close button would get the focus. A field or Cancel is more useful. */
function markFirstField(dialog: HTMLElement): void {
  if (dialog.querySelector('[data-autofocus]')) return;
  const first = dialog.querySelector('input, select, textarea') ?? dialog.querySelector('button');
  first?.setAttribute('data-autofocus', 'true');
}

function valuesIn(element: HTMLElement): string {
  const fields = element.querySelectorAll('input, select, textarea');
  const values = [...fields].map((field) =>
    field instanceof HTMLInputElement && /^(?:checkbox|radio)$/.test(field.type)
      ? field.checked
      : (field as HTMLInputElement).value,
  );
  return JSON.stringify(values);
}

/** The parts of a TanStack Query mutation that a form needs. */
export interface Submission {
  isPending: boolean;
  error: unknown;
}

interface FormDialogProps extends DialogProps {
  children: ReactNode;
  /** Label of the submit button. */
  submit: string;
  onSubmit: () => void;
  submission: Submission;
  color?: ButtonProps['color'];
  /** True if there is something to submit. */
  disabled?: boolean;
  /** Why the person's role may not submit. It can change while the dialog is open. */
  whyNot?: string | undefined;
}

/** A dialog that submits a form and shows why it failed. */
export function FormDialog(props: FormDialogProps) {
  const { children, submit, onSubmit, submission, color, disabled, whyNot, ...dialog } = props;
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Dialog {...dialog}>
      {(close) => (
        <form onSubmit={send} noValidate>
          <Stack>
            {children}
            {submission.error !== null && submission.error !== undefined && (
              <FailureAlert error={submission.error} />
            )}
            {whyNot !== undefined && (
              <Text size="sm" c="dimmed">
                {whyNot}
              </Text>
            )}
            <Group justify="flex-end" className={classes.foot ?? ''}>
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button
                type="submit"
                loading={submission.isPending}
                disabled={disabled === true || whyNot !== undefined}
                title={whyNot}
                {...(color !== undefined && { color })}
              >
                {submit}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Dialog>
  );
}
