import { endOfString, stringValue } from '../../platform/http/bodies/json-syntax-tree.js';
import { namesIn, partsOf } from './placeholders.js';

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
