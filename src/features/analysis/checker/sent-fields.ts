import { AppError } from '../../../platform/basics/errors/app-error.js';
import { MAX_NAME_BYTES } from './field-limits.js';
import { decoded, isUnencoded } from './form-encoding.js';

/** A field of a body. `start` and `end` are the offsets of its value in the body. */
export interface SentField {
  name: string;
  /** Length of the name as sent. `name` has only the start of a very long one. */
  nameBytes: number;
  start: number;
  end: number;
}

/** The positions of the fields in a body. No value has been decoded. */
export interface SentFields {
  body: Buffer;
  isJson: boolean;
  fields: SentField[];
  /** Why the rest of the body was not read. */
  failure: AppError | undefined;
}

/** Maximum number of fields. LanguageTool's clients send about ten. */
const MAX_FIELDS = 1_000;
const AMPERSAND = 0x26;
const EQUALS = 0x3d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN = new Set([0x5b, 0x7b]);
const CLOSE = new Set([0x5d, 0x7d]);
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const WHITE_SPACE: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x20]);

/**
 * Finds the fields of a body: a JSON object if it begins with `{`, otherwise a form, whatever its Content-Type, because
 * LTeX sends a form as application/json. Looks at each byte a fixed number of times.
 */
export function sentFields(body: Buffer): SentFields {
  return body[afterSpace(body, 0)] === OPEN_BRACE ? membersOf(body) : formFields(body);
}

/** Returns the last field with this name, which counts if it is repeated. */
export function lastField({ fields }: SentFields, name: string): SentField | undefined {
  return fields.findLast((field) => field.name === name);
}

function formFields(body: Buffer): SentFields {
  const fields: SentField[] = [];
  let start = 0;
  // True if the value of the last field has unencoded bytes, and the offset up to which it has been examined.
  let [hasPlainBytes, examined] = [false, 0];
  for (let count = 0; start < body.length; count += 1) {
    if (count === MAX_FIELDS) return { body, isJson: false, fields, failure: tooManyFields() };
    const ampersand = body.indexOf(AMPERSAND, start);
    const end = ampersand === -1 ? body.length : ampersand;
    const piece = body.subarray(start, end);
    const equals = piece.indexOf(EQUALS);
    const nameBytes = equals === -1 ? piece.length : equals;
    const name = decoded(piece.subarray(0, Math.min(nameBytes, MAX_NAME_BYTES)));
    const last = fields.at(-1);
    const isName = equals !== -1 && /^\w+$/.test(name);
    // LibreOffice 7.4 sends its text unencoded, so an ampersand may belong to it.
    if (!isName && last?.name === 'text') {
      hasPlainBytes ||= isUnencoded(body.subarray(examined, end));
      examined = end;
    }
    if (!isName && last?.name === 'text' && hasPlainBytes) last.end = end;
    else {
      const valueStart = equals === -1 ? end : start + equals + 1;
      fields.push({ name, nameBytes, start: valueStart, end });
      [hasPlainBytes, examined] = [false, valueStart];
    }
    start = end + 1;
  }
  return { body, isJson: false, fields, failure: undefined };
}

/** Finds the members of a JSON object. Their values may still be invalid. */
function membersOf(body: Buffer): SentFields {
  const fields: SentField[] = [];
  const found = (failure?: AppError) => ({ body, isJson: true, fields, failure });
  let at = afterSpace(body, afterSpace(body, 0) + 1);
  if (body[at] === CLOSE_BRACE) return found(isEnd(body, at + 1) ? undefined : notJson());
  for (;;) {
    if (fields.length === MAX_FIELDS) return found(tooManyFields());
    if (body[at] !== QUOTE) return found(notJson());
    const nameEnd = endOfString(body, at);
    const name = nameIn(body, at, nameEnd);
    const nameBytes = nameEnd - at - 2;
    at = afterSpace(body, nameEnd);
    if (name === undefined || body[at] !== COLON) return found(notJson());
    const start = afterSpace(body, at + 1);
    const end = endOfValue(body, start);
    fields.push({ name, nameBytes, start, end });
    at = afterSpace(body, end);
    if (body[at] === CLOSE_BRACE) return found(isEnd(body, at + 1) ? undefined : notJson());
    if (body[at] !== COMMA) return found(notJson());
    at = afterSpace(body, at + 1);
  }
}

/** Returns a name in quotes, only the start of a very long one, or `undefined` if it is invalid. */
function nameIn(body: Buffer, start: number, end: number): string | undefined {
  if (end - start > MAX_NAME_BYTES) return body.toString('utf8', start + 1, start + MAX_NAME_BYTES);
  return jsonValue(body, start, end) as string | undefined;
}

/** Returns the value of JSON text, or `undefined` if it is invalid. */
export function jsonValue(body: Buffer, start: number, end: number): unknown {
  try {
    return JSON.parse(body.toString('utf8', start, end));
  } catch {
    return undefined;
  }
}

function afterSpace(body: Buffer, start: number): number {
  let at = start;
  while (WHITE_SPACE.has(body[at] ?? 0)) at += 1;
  return at;
}

function isEnd(body: Buffer, at: number): boolean {
  return afterSpace(body, at) === body.length;
}

/** Returns the offset after the closing quote of a string. */
function endOfString(body: Buffer, start: number): number {
  for (let at = start + 1; at < body.length; at += 1) {
    if (body[at] === BACKSLASH) at += 1;
    else if (body[at] === QUOTE) return at + 1;
  }
  return body.length;
}

/** Returns the offset after a value, which begins at `start`. */
function endOfValue(body: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < body.length;) {
    const byte = body[at] ?? 0;
    if (byte === QUOTE) {
      at = endOfString(body, at);
      if (depth === 0) return at;
    } else if (OPEN.has(byte)) {
      depth += 1;
      at += 1;
    } else if (CLOSE.has(byte)) {
      if (depth === 0) return at;
      depth -= 1;
      at += 1;
      if (depth === 0) return at;
    } else if (depth === 0 && (byte === COMMA || WHITE_SPACE.has(byte))) return at;
    else at += 1;
  }
  return body.length;
}

function tooManyFields(): AppError {
  return new AppError(
    'bad_request',
    `The body has more than ${String(MAX_FIELDS)} fields. In the text of a form, send & as %26.`,
  );
}

export function notJson(): AppError {
  return new AppError(
    'bad_request',
    'The body begins with { but is not a JSON object. Send a form such as language=en-US&text=…, or a valid JSON object with these fields.',
  );
}
