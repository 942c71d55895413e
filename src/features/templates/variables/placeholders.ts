import { endOfString, stringValue } from '../../../platform/http/bodies/json-syntax-tree.js';

/** Maximum length of a variable name, in characters (code points). */
export const MAX_NAME_CHARACTERS = 64;

/** A letter of any script or `_`, then letters, digits, `_`, `-` and `.`. */
const NAME_PATTERN = `[\\p{L}_][\\p{L}\\p{M}\\p{N}_.\\-]{0,${String(MAX_NAME_CHARACTERS - 1)}}`;

const NAME = new RegExp(`^${NAME_PATTERN}$`, 'u');
const PLACEHOLDER = new RegExp(`\\{\\{[ \\t]*(${NAME_PATTERN})[ \\t]*\\}\\}`, 'gu');
/** Matches text in double braces on one line. The length limit keeps matching linear. */
const IN_BRACES = /\{\{[^{}\r\n]{1,80}\}\}/gu;
const BACKSLASH = 0x5c;

/** Literal text, or a placeholder for a variable. */
export type Part = { text: string } | { name: string };

/** True if the text is a valid variable name. */
export function isVariableName(text: string): boolean {
  return NAME.test(text);
}

/**
 * Splits a template text into parts. `{{name}}` is a placeholder and may contain spaces or tabs. `\{{name}}` is the text
 * `{{name}}`, and `\\{{name}}` is a backslash followed by a placeholder. All other braces and backslashes are literal.
 * Takes linear time.
 */
export function* partsOf(text: string): Generator<Part> {
  let end = 0;
  for (const { 0: placeholder, 1: name = '', index } of text.matchAll(PLACEHOLDER)) {
    const backslashes = backslashesBefore(text, index, end);
    const literal = text.slice(end, index - Math.ceil(backslashes / 2));
    end = index + placeholder.length;
    if (backslashes % 2 === 1) yield { text: literal + placeholder };
    else {
      if (literal !== '') yield { text: literal };
      yield { name };
    }
  }
  if (end < text.length) yield { text: text.slice(end) };
}

/** Returns at most `most` variable names in a text, in order of first use. */
export function namesIn(text: string, most = Infinity): Set<string> {
  const names = new Set<string>();
  let end = 0;
  // Does not use `partsOf`, because building the parts takes about 1.6 times as long.
  for (const { 0: placeholder, 1: name = '', index } of text.matchAll(PLACEHOLDER)) {
    if (backslashesBefore(text, index, end) % 2 === 0) names.add(name);
    if (names.size >= most) break;
    end = index + placeholder.length;
  }
  return names;
}

/** Returns at most `most` distinct texts that look like placeholders but are not, such as `{{first name}}`. */
export function lookAlikesIn(text: string, most: number): string[] {
  const found = new Set<string>();
  const valid = new Set<string>();
  for (const { 0: match, index } of text.matchAll(IN_BRACES)) {
    if (found.size === most) break;
    if (valid.has(match) || text.charCodeAt(index - 1) === BACKSLASH) continue;
    const isValid = isVariableName(match.slice(2, -2).replace(/^[ \t]+|[ \t]+$/g, ''));
    (isValid ? valid : found).add(match);
  }
  return [...found];
}

function backslashesBefore(text: string, index: number, least: number): number {
  let start = index;
  while (start > least && text.charCodeAt(start - 1) === BACKSLASH) start -= 1;
  return index - start;
}

/** Values by variable name. Placeholders without a value are removed. */
export type Values = ReadonlyMap<string, string>;

/**
 * Returns a template's text with its variables filled. Values are inserted verbatim, and braces in them have no meaning.
 * Returns `undefined` if the result has more than `maxBytes` bytes of UTF-8, and stops filling at `maxBytes` UTF-16 code
 * units. Takes time linear in the text and the result.
 */
export function renderText(text: string, values: Values, maxBytes: number): string | undefined {
  const pieces: string[] = [];
  let length = 0;
  for (const part of partsOf(text)) {
    const piece = 'name' in part ? (values.get(part.name) ?? '') : part.text;
    length += piece.length;
    // UTF-8 takes at least one byte per UTF-16 code unit. Bytes are counted only once, because a text can have 200,000
    // parts.
    if (length > maxBytes) return undefined;
    pieces.push(piece);
  }
  const rendered = pieces.join('');
  return Buffer.byteLength(rendered) > maxBytes ? undefined : rendered;
}

/**
 * Returns valid JSON text with variables filled in its string values. Member names and strings without variables do not
 * change. Returns `undefined` if the result has more than `maxBytes` bytes of UTF-8.
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

/** Returns the variable names in the string values of JSON text. */
export function namesInJson(json: string): Set<string> {
  const names = new Set<string>();
  for (const { value } of stringValuesIn(json)) {
    for (const name of namesIn(value)) names.add(name);
  }
  return names;
}

/** Returns every string value of JSON text, except member names. `json.slice(start, end)` is its literal. */
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
