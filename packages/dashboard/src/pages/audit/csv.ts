/** Spreadsheets run cells with these first characters as formulas. An apostrophe makes them text. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** Returns text as a cell of RFC 4180. */
export function csvCell(text: string): string {
  const safe = FORMULA.test(text.trimStart()) || FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns a CSV file with a header row. The byte order mark tells spreadsheets that it is UTF-8. */
export function csvFile(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [titles, ...rows].map((cells) => cells.map(csvCell).join(','));
  return `\uFEFF${lines.join('\r\n')}\r\n`;
}
