/** One line of the result. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** One line of JSON and nothing else, for scripts. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value));
}

/** A remark beside the result, kept off standard output. */
export function remark(line: string): void {
  process.stderr.write(`${line}\n`);
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
