import { styleText } from 'node:util';

const STYLES: Readonly<Record<string, Parameters<typeof styleText>[0]>> = {
  fatal: 'red',
  error: 'red',
  warn: 'yellow',
};
/** Values that need no quotes. */
const PLAIN = /^[!#-<>-~]+$/;

interface LogLine {
  level: string;
  time: string;
  msg?: string;
  err?: { message: string; stack?: string };
}

/**
 * Returns a line of the log, a JSON object, as text for a person: local time, level, message and fields, and the
 * stack of an error below. Contains no control characters: clients choose some values, and none may control the terminal.
 */
export function readableLine(json: string, inColor: boolean): string {
  const { level, time, msg = '', err, ...fields } = JSON.parse(json) as LogLine;
  const style = inColor ? STYLES[level] : undefined;
  const paint = (text: string) =>
    style === undefined ? text : styleText(style, text, { validateStream: false });
  const clock = new Date(time).toTimeString().slice(0, 8);
  // IDs are long, so they come last.
  const named = Object.entries(fields).sort(([a], [b]) => Number(isId(a)) - Number(isId(b)));
  const shown = named.map(([name, value]) => `${name}=${valueText(value)}`);
  const head = [clock, paint(level.toUpperCase().padEnd(5)), paint(withoutControls(msg)), ...shown];
  const trace = (err?.stack ?? err?.message ?? '').split('\n').filter((line) => line !== '');
  return `${[head.join(' '), ...trace.map((line) => `  ${withoutControls(line)}`)].join('\n')}\n`;
}

const isId = (name: string) => name.endsWith('Id');

function valueText(value: unknown): string {
  if (typeof value === 'string' && PLAIN.test(value)) return value;
  return withoutControls(JSON.stringify(value));
}

function withoutControls(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ');
}
