import classes from './code-block.module.css';

interface CodeBlockProps {
  /** Accessible name. */
  name: string;
  text: string;
}

/** A block of text as a program sends or prints it. */
export function CodeBlock({ name, text }: CodeBlockProps) {
  return (
    <pre className={classes.block} role="region" aria-label={name} tabIndex={0}>
      {text}
    </pre>
  );
}

/** Indents JSON. Returns other text unchanged. */
export function prettyJson(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2);
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
}
