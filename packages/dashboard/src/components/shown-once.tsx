import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import classes from './shown-once.module.css';
import { CopyButton } from './copy-button.js';
import { Dialog, type CloseDialog } from './dialog.js';

interface ShownOnceProps {
  title: string;
  /** Name of the value: "API key", "Signing secret", "Invitation link". */
  label: string;
  value: string;
  /** Label of the copy button. */
  copy: string;
  /** How to use the value, such as a command. A function if copying that also saves the value. */
  children?: ReactNode | ((onCopied: () => void) => ReactNode);
  onClose: CloseDialog;
}

const NOT_COPIED = {
  title: 'Leave without copying?',
  sentence: "You won't be able to see this value again.",
  stay: 'Stay',
  leave: 'Leave without copying',
};

/**
 * Shows a value that cannot be shown again. Unless it was copied, asks before it is lost by closing, Escape, Back or a
 * reload. The value is only in the state of the parent component, never in a cache or URL.
 */
export function ShownOnce({ title, label, value, copy, children, onClose }: ShownOnceProps) {
  const [copied, setCopied] = useState(false);
  const keep = () => {
    setCopied(true);
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      size="lg"
      isUnsaved={() => !copied}
      question={NOT_COPIED}
    >
      {(close) => (
        <Stack>
          <Text size="sm">Copy this value now. You won't be able to see it again.</Text>
          <ValueField label={label} value={value} />
          {typeof children === 'function' ? children(keep) : children}
          <Group justify="space-between">
            <CopyButton name={copy} text={value} onCopied={keep} />
            <Button onClick={close}>Done</Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  );
}

/** The value, selected, on as many lines as it has. */
function ValueField({ label, value }: { label: string; value: string }) {
  const lines = value.split('\n').length;
  const props = {
    label,
    value,
    readOnly: true,
    'data-autofocus': true,
    classNames: { input: classes.value ?? '' },
  };
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
