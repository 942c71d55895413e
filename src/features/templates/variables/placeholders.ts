import { endOfString, stringValue } from '../../../platform/http/envelope/json-syntax-tree.js';

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

/** The text of each variable by its name; a variable that is not here leaves nothing in its places. */
export type Values = ReadonlyMap<string, string>;

/**
 * Returns a template's text with its variables filled. Values are inserted as they are: braces in them have no meaning.
 * Returns `undefined` if the result has more than `maxBytes` bytes of UTF-8; it stops filling at `maxBytes` UTF-16 code
 * units. Takes time linear in the text and the result.
 */
export function renderText(text: string, values: Values, maxBytes: number): string | undefined {
  const pieces: string[] = [];
  let length = 0;
  for (const part of partsOf(text)) {
    const piece = 'name' in part ? (values.get(part.name) ?? '') : part.text;
    length += piece.length;
    // UTF-8 takes at least one byte per UTF-16 code unit. Bytes are counted once, because a text can have 200,000 parts.
    if (length > maxBytes) return undefined;
    pieces.push(piece);
  }
  const rendered = pieces.join('');
  return Buffer.byteLength(rendered) > maxBytes ? undefined : rendered;
}

/**
 * JSON text with the variables filled inside its string values; names of members, and strings without variables, stay to
 * the letter. `undefined` when the result is larger than `maxBytes` of UTF-8. Only for text that parses.
 */
export function renderJson(json: string, values: Values, maxBytes: number): string | undefined {
  const pieces: string[] = [];
  let bytes = 0;
  let end = 0;
  for (const { start, end: stringEnd, value } of stringValuesIn(json)) {
    const rendered = renderText(value, values, maxBytes);
    if (rendered === undefined) return undefined;
    if (rendered === value) continue;
    const piece = json.slice(end, start) + JSON.stringify(rendered);
    bytes += Buffer.byteLength(piece);
    if (bytes > maxBytes) return undefined;
    pieces.push(piece);
    end = stringEnd;
  }
  const rest = json.slice(end);
  return bytes + Buffer.byteLength(rest) > maxBytes ? undefined : pieces.join('') + rest;
}

/** The names of the variables that have a place in string values of JSON text. */
export function namesInJson(json: string): Set<string> {
  const names = new Set<string>();
  for (const { value } of stringValuesIn(json)) {
    for (const name of namesIn(value)) names.add(name);
  }
  return names;
}

/** Every string value of JSON text, not the names of members: `json.slice(start, end)` is its literal. */
export function* stringValuesIn(
  json: string,
): Generator<{ start: number; end: number; value: string }> {
  for (let start = json.indexOf('"'); start !== -1;) {
    const end = endOfString(json, start) + 1;
    if (!isName(json, end)) yield { start, end, value: stringValue(json.slice(start, end)) };
    start = json.indexOf('"', end);
  }
}

function isName(json: string, end: number): boolean {
  let next = end;
  while (/\s/.test(json.charAt(next))) next += 1;
  return json.charAt(next) === ':';
}
