import { Alert, Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { CopyButton } from './copy-button.js';
import { Dialog } from './dialog.js';

interface ShownOnceProps {
  title: string;
  /** The name of the field: "API key", "Signing secret", "Invitation link". */
  label: string;
  value: string;
  /** The button that copies it. */
  copy: string;
  /** What it is good for, such as a command line to run; as a function where copying that keeps the value too. */
  children?: ReactNode | ((onCopied: () => void) => ReactNode);
  /** `true` when the person is on the way to another page already. */
  onClose: (isLeaving: boolean) => void;
}

/**
 * Shows what cannot be had again, and asks before it is lost: on closing, Escape, Back and reload, unless it was copied.
 * The value lives in the state of the component above only, never in a cache or an address.
 */
export function ShownOnce({ title, label, value, copy, children, onClose }: ShownOnceProps) {
  const [copied, setCopied] = useState(false);
  const [asking, setAsking] = useState(false);
  const blocker = useBlocker({
    shouldBlockFn: () => !copied,
    enableBeforeUnload: () => !copied,
    withResolver: true,
  });
  const keep = () => {
    setCopied(true);
    setAsking(false);
  };
  const close = () => {
    if (copied) onClose(false);
    else setAsking(true);
  };
  const blocked = blocker.status === 'blocked';
  const stay = () => {
    setAsking(false);
    blocker.reset?.();
  };
  const leave = () => {
    onClose(blocked);
    blocker.proceed?.();
  };
  return (
    <Dialog title={title} onClose={close} size="lg">
      <Stack>
        <Text size="sm">
          It is shown this once and cannot be had again. Keep it somewhere safe.
        </Text>
        <ValueField label={label} value={value} />
        {typeof children === 'function' ? children(keep) : children}
        {(asking || blocked) && (
          <Alert role="alert" color="orange" title="You have not copied it">
            <Stack gap="xs">
              <Text size="sm">After you leave, nobody can show it again.</Text>
              <Group>
                <Button size="xs" variant="default" onClick={stay}>
                  Stay
                </Button>
                <Button size="xs" color="red" onClick={leave}>
                  Leave without copying
                </Button>
              </Group>
            </Stack>
          </Alert>
        )}
        <Group justify="space-between">
          <CopyButton name={copy} text={value} onCopied={keep} />
          <Button onClick={close}>Done</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

/** The value, selected; several lines where it has them. */
function ValueField({ label, value }: { label: string; value: string }) {
  const lines = value.split('\n').length;
  const props = { label, value, readOnly: true, 'data-autofocus': true };
  if (lines === 1) {
    return (
      <TextInput
        {...props}
        onFocus={({ currentTarget }) => {
          currentTarget.select();
        }}
      />
    );
  }
  return (
    <Textarea
      {...props}
      rows={lines}
      onFocus={({ currentTarget }) => {
        currentTarget.select();
      }}
    />
  );
}
