import classes from './middle-ellipsis.module.css';

/** Characters at the end that always show. */
const END = 16;

/** A text in one line that is cut in the middle where it does not fit, because addresses differ at both ends. */
export function MiddleEllipsis({ text }: { text: string }) {
  if (text.length <= 2 * END) return text;
  return (
    <span className={classes.text}>
      <span>{text.slice(0, -END)}</span>
      <span>{text.slice(-END)}</span>
    </span>
  );
}
