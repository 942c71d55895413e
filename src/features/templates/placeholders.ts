/** Most characters (code points) of a variable's name. */
export const MAX_NAME_CHARACTERS = 64;

/** A letter of any script or `_`, then letters, digits, `_`, `-` and `.`. */
const NAME_PATTERN = `[\\p{L}_][\\p{L}\\p{M}\\p{N}_.\\-]{0,${String(MAX_NAME_CHARACTERS - 1)}}`;

const NAME = new RegExp(`^${NAME_PATTERN}$`, 'u');
const PLACEHOLDER = new RegExp(`\\{\\{[ \\t]*(${NAME_PATTERN})[ \\t]*\\}\\}`, 'gu');
/** What stands in double braces on one line. Bounded, so that no text makes the search long. */
const IN_BRACES = /\{\{[^{}\r\n]{1,80}\}\}/gu;
const BACKSLASH = 0x5c;

/** A stretch of a text that stays as it is, or the place of a variable. */
export type Part = { text: string } | { name: string };

/** Whether the text can be the name of a variable. */
export function isVariableName(text: string): boolean {
  return NAME.test(text);
}

/**
 * The parts of a template's text, in order. `{{name}}`, with spaces or tabs inside if you like, is the place of a
 * variable; `\{{name}}` stays as `{{name}}`, and `\\{{name}}` is a backslash before a place. Whatever else there is, other
 * braces and backslashes too, stays to the letter. Linear.
 */
export function* partsOf(text: string): Generator<Part> {
  let end = 0;
  for (const { 0: placeholder, 1: name = '', index } of text.matchAll(PLACEHOLDER)) {
    const backslashes = backslashesBefore(text, index, end);
    const kept = text.slice(end, index - Math.ceil(backslashes / 2));
    end = index + placeholder.length;
    if (backslashes % 2 === 1) yield { text: kept + placeholder };
    else {
      if (kept !== '') yield { text: kept };
      yield { name };
    }
  }
  if (end < text.length) yield { text: text.slice(end) };
}

/** Returns the names of the variables in a text, in the order of their first places: at most `most` of them. */
export function namesIn(text: string, most = Infinity): Set<string> {
  const names = new Set<string>();
  let end = 0;
  // Reads names as `partsOf` does, without making its parts: that takes about 1.6 times as long.
  for (const { 0: placeholder, 1: name = '', index } of text.matchAll(PLACEHOLDER)) {
    if (backslashesBefore(text, index, end) % 2 === 0) names.add(name);
    if (names.size >= most) break;
    end = index + placeholder.length;
  }
  return names;
}

/** Returns what looks like a placeholder but is not, such as `{{first name}}`: each once, at most `most` of them. */
export function lookAlikesIn(text: string, most: number): string[] {
  const found = new Set<string>();
  for (const { 0: match, index } of text.matchAll(IN_BRACES)) {
    if (found.size === most) break;
    if (!isVariableName(match.slice(2, -2).replace(/^[ \t]+|[ \t]+$/g, ''))) {
      if (text.charCodeAt(index - 1) !== BACKSLASH) found.add(match);
    }
  }
  return [...found];
}

function backslashesBefore(text: string, index: number, least: number): number {
  let start = index;
  while (start > least && text.charCodeAt(start - 1) === BACKSLASH) start -= 1;
  return index - start;
}
