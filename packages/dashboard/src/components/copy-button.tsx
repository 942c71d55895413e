import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { Icon } from './icons.js';

interface CopyButtonProps {
  /** Label of the button, such as "Copy key". */
  name: string;
  text: string;
  onCopied?: () => void;
}

/** Copies a text and confirms it for a moment. */
export function CopyButton({ name, text, onCopied }: CopyButtonProps) {
  const clipboard = useClipboard({ timeout: 2_000 });
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<Icon name={clipboard.copied ? 'check' : 'copy'} size={14} />}
        onClick={() => {
          clipboard.copy(text);
          onCopied?.();
        }}
      >
        {name}
      </Button>
      <span role="status" className="visually-hidden">
        {clipboard.copied ? 'Copied' : ''}
      </span>
    </>
  );
}
