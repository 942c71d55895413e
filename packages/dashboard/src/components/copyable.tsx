import { ActionIcon } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import classes from './copyable.module.css';
import { Icon } from './icons.js';

interface CopyableProps {
  /** What it is, such as "ID", for the name of the button. */
  name: string;
  text: string;
}

/** An ID, key or address in a monospaced face, with a button that copies it. */
export function Copyable({ name, text }: CopyableProps) {
  const clipboard = useClipboard({ timeout: 2_000 });
  return (
    <span className={classes.copyable}>
      <code className={classes.text}>{text}</code>
      <ActionIcon
        className={classes.button ?? ''}
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={`Copy ${name}`}
        title={clipboard.copied ? 'Copied' : `Copy ${name}`}
        onClick={() => {
          clipboard.copy(text);
        }}
      >
        <Icon name={clipboard.copied ? 'check' : 'copy'} size={14} />
      </ActionIcon>
      <span role="status" className="visually-hidden">
        {clipboard.copied ? 'Copied' : ''}
      </span>
    </span>
  );
}
