import classes from './middle-ellipsis.module.css';

/** Number of characters at the end that are always visible. */
const END = 16;

/** A line of text that is truncated in the middle, because addresses differ at both ends. */
export function MiddleEllipsis({ text }: { text: string }) {
  if (text.length <= 2 * END) return text;
  return (
    <span className={classes.text}>
      <span>{text.slice(0, -END)}</span>
      <span>{text.slice(-END)}</span>
    </span>
  );
}
