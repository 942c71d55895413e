import { AppError } from '../../../platform/basics/errors/app-error.js';
import { isObject } from '../../../platform/http/bodies/json-text.js';

/** The fields of LanguageTool's API that the service reads. It ignores all others. */
const NAMES = [
  'text',
  'data',
  'language',
  'preferredVariants',
  'enabledRules',
  'disabledRules',
  'enabledCategories',
  'disabledCategories',
  'enabledOnly',
  'level',
  'apiKey',
  'api_key',
] as const;
type FieldName = (typeof NAMES)[number];

/** The fields of a check. Forms have only strings. If `data` is an object in a JSON body, it is its JSON text here. */
export type CheckFields = Partial<Record<FieldName, unknown>>;

/** Maximum number of fields in a form. LanguageTool's clients send about ten. */
const MAX_FIELDS = 1_000;
const AMPERSAND = 0x26;
const EQUALS = 0x3d;
const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;
const BRACE = 0x7b;
const WHITE_SPACE: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, SPACE]);

/**
 * Returns the fields of a body: a JSON object if it begins with `{`, otherwise a form, whatever its Content-Type, because
 * LTeX sends a form as application/json. Of a repeated field the last one counts. Throws `bad_request`.
 */
export function checkFields(body: Uint8Array): CheckFields {
  let start = 0;
  while (WHITE_SPACE.has(body[start] ?? 0)) start += 1;
  return body[start] === BRACE ? jsonFields(body) : formFields(body);
}

function jsonFields(body: Uint8Array): CheckFields {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString());
  } catch {
    value = undefined;
  }
  if (!isObject(value)) {
    throw new AppError(
      'bad_request',
      'The body begins with { but is not a JSON object. Send a form such as language=en-US&text=…, or a valid JSON object with these fields.',
    );
  }
  const fields = fieldsIn(value);
  // As text it moves faster between threads.
  if (isObject(fields.data)) fields.data = jsonText(fields.data);
  return fields;
}

/** Returns the fields in an object, such as a parsed query. */
export function fieldsIn(value: Readonly<Record<string, unknown>>): CheckFields {
  const fields: CheckFields = {};
  for (const name of NAMES) if (Object.hasOwn(value, name)) fields[name] = value[name];
  return fields;
}

/** `JSON.parse` reads values of any depth, but `JSON.stringify` fails for very deep ones. Throws `bad_request` for them. */
function jsonText(value: object): string {
  try {
    return JSON.stringify(value);
  } catch {
    throw new AppError('bad_request', 'The field data nests too deeply.');
  }
}

/** A field of a form. `start` and `end` are the offsets of its value in the body. */
interface FormField {
  name: string;
  start: number;
  end: number;
}

function formFields(body: Uint8Array): CheckFields {
  const found: FormField[] = [];
  let start = 0;
  for (let count = 0; start < body.length; count += 1) {
    if (count === MAX_FIELDS) {
      throw new AppError(
        'bad_request',
        `The form has more than ${String(MAX_FIELDS)} fields. In the text, send & as %26.`,
      );
    }
    const ampersand = body.indexOf(AMPERSAND, start);
    const end = ampersand === -1 ? body.length : ampersand;
    const equals = body.subarray(start, end).indexOf(EQUALS);
    const name = decoded(body.subarray(start, equals === -1 ? end : start + equals));
    const last = found.at(-1);
    const isName = equals !== -1 && /^\w+$/.test(name);
    // LibreOffice 7.4 sends its text unencoded, so an ampersand may belong to it.
    if (!isName && last?.name === 'text' && isUnencoded(body.subarray(last.start, end))) {
      last.end = end;
    } else found.push({ name, start: equals === -1 ? end : start + equals + 1, end });
    start = end + 1;
  }
  const fields: CheckFields = {};
  for (const field of found) {
    if (isFieldName(field.name)) {
      fields[field.name] = decoded(body.subarray(field.start, field.end));
    }
  }
  return fields;
}

/** True if a value contains bytes that every encoder of forms replaces. */
function isUnencoded(value: Uint8Array): boolean {
  return value.some((byte) => byte <= SPACE || byte >= 0x80);
}

function isFieldName(name: string): name is FieldName {
  return (NAMES as readonly string[]).includes(name);
}

/**
 * Decodes `+` and percent-encoded UTF-8. In a value that the client did not encode, `+` stands for itself, and so does a
 * percent sign without two hexadecimal digits.
 */
function decoded(bytes: Uint8Array): string {
  const plus = isUnencoded(bytes) ? PLUS : SPACE;
  const text = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    const high = byte === PERCENT ? digitOf(bytes[at + 1]) : -1;
    const low = high === -1 ? -1 : digitOf(bytes[at + 2]);
    if (low !== -1) {
      text[length] = high * 16 + low;
      at += 2;
    } else text[length] = byte === PLUS ? plus : byte;
    length += 1;
  }
  return text.toString('utf8', 0, length);
}

/** Returns the value of a hexadecimal digit in ASCII, or -1. */
function digitOf(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : -1;
}
