import { Button, Group, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { CopyButton } from './copy-button.js';
import { Dialog, type CloseDialog } from './dialog.js';

interface ShownOnceProps {
  title: string;
  /** The name of the field: "API key", "Signing secret", "Invitation link". */
  label: string;
  value: string;
  /** The button that copies it. */
  copy: string;
  /** What it is good for, such as a command line to run; as a function where copying that keeps the value too. */
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
 * Shows what cannot be had again, and asks before it is lost: on closing, Escape, Back and reload, unless it was copied.
 * The value lives in the state of the component above only, never in a cache or an address.
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
