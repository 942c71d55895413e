import classes from './code-block.module.css';

interface CodeBlockProps {
  /** What the text is, for those who do not see it. */
  name: string;
  text: string;
}

/** Text as a program sent or prints it. */
export function CodeBlock({ name, text }: CodeBlockProps) {
  return (
    <pre className={classes.block} role="region" aria-label={name} tabIndex={0}>
      {text}
    </pre>
  );
}

/** JSON, indented; other text as it is. */
export function prettyJson(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value, null, 2);
  try {
    return JSON.stringify(JSON.parse(value), null, 2);
  } catch {
    return value;
  }
}
