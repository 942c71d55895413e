import { currentRun } from './command-run.js';

/** True if `--json` is set, even before the command line is parsed. */
function asJson(): boolean {
  return currentRun().argv.includes('--json');
}

/** Prints one line of the result. */
export function print(line: string): void {
  currentRun().out.stdout.write(`${line}\n`);
}

/** Prints one line of JSON. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value));
}

/** Prints the result: as JSON with `--json`, otherwise by calling `text`. */
export function show(value: unknown, text: () => void): void {
  if (asJson()) printJson(value);
  else text();
}

/** Prints a remark to standard error. */
export function remark(line: string): void {
  currentRun().out.stderr.write(asJson() ? `${JSON.stringify({ remark: line })}\n` : `${line}\n`);
}

/** Prints the error to standard error: one sentence, or one JSON document with `--json`. */
export function printFailure(failure: { message: string; problems?: readonly unknown[] }): void {
  const text = asJson() ? JSON.stringify({ error: failure }) : failure.message;
  currentRun().out.stderr.write(`${text}\n`);
}

/** Prints a table. Replaces control characters, because names come from users and must not control the terminal. */
export function printTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const lines = [headings, ...rows].map((line) =>
    line.map((cell) => cell.replace(/\p{Cc}/gu, ' ')),
  );
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  for (const line of lines) {
    print(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
}
