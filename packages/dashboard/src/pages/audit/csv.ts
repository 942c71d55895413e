/** A cell that begins so is run as a formula by spreadsheets; an apostrophe before it makes it text. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;

/** Text as one cell of RFC 4180. */
export function csvCell(text: string): string {
  const safe = FORMULA.test(text.trimStart()) || FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A file with a line of titles; spreadsheets take it for UTF-8 by its first character. */
export function csvFile(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [titles, ...rows].map((cells) => cells.map(csvCell).join(','));
  return `\uFEFF${lines.join('\r\n')}\r\n`;
}
