const MAX_TITLE = 80;

/** Marks of headings, quotes, list items and tasks at the start of a line. */
const BLOCK_MARKS = /^(\s*(#{1,6}(?=\s|$)|>|[-*+](?=\s)|\d{1,9}[.)](?=\s)|\[[ xX]\](?=\s)))+/;

/**
 * Returns the first line of a Markdown text with a letter or digit, without Markdown and cut to 80 characters; '' if
 * there is none.
 */
export function firstLineOf(markdown: string): string {
  for (const line of markdown.split(/\r\n|\r|\n/, 50)) {
    const text = withoutMarks(line);
    if (/[\p{L}\p{N}]/u.test(text)) return shortened(text);
  }
  return '';
}

function withoutMarks(line: string): string {
  if (/^\s*(```|~~~)/.test(line)) return '';
  return line
    .slice(0, 1_000)
    .replace(BLOCK_MARKS, '')
    .replace(/!?\[([^\]]*)\](\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/<(https?:[^>\s]*)>/g, '$1')
    .replace(/(?<!\\)(\*\*|__|~~|`+)(?=\S)(.+?)(?<=[^\s\\])\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}\\])([*_])(?=\S)(.+?)(?<=[^\s\\])\1(?![\p{L}\p{N}])/gu, '$2')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/\s+#+\s*$/, '')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Cuts at the end of a word if possible. */
function shortened(text: string): string {
  const letters = Array.from(text);
  if (letters.length <= MAX_TITLE) return text;
  const cut = letters.slice(0, MAX_TITLE).join('');
  const words = letters[MAX_TITLE] === ' ' ? cut : cut.replace(/\s+\S*$/, '');
  return words.trim();
}
