import { currentRun } from './command-run.js';

/** Returns whether the output is for a program, also before the command line is parsed. */
function asJson(): boolean {
  return currentRun().argv.includes('--json');
}

/** One line of the result. */
export function print(line: string): void {
  currentRun().out.stdout.write(`${line}\n`);
}

/** One line of JSON and nothing else, for scripts. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value));
}

/** The result: as one JSON document with `--json`, or by `text` for people. */
export function show(value: unknown, text: () => void): void {
  if (asJson()) printJson(value);
  else text();
}

/** A remark beside the result, kept off standard output. */
export function remark(line: string): void {
  currentRun().out.stderr.write(asJson() ? `${JSON.stringify({ remark: line })}\n` : `${line}\n`);
}

/** Why the command failed: one sentence, or with `--json` one JSON document, on standard error. */
export function printFailure(failure: { message: string; problems?: readonly unknown[] }): void {
  const text = asJson() ? JSON.stringify({ error: failure }) : failure.message;
  currentRun().out.stderr.write(`${text}\n`);
}

/** Columns under headings, as wide as their widest cell. Names are texts of users, who must not command the terminal. */
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
