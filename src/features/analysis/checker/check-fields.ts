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

/** The fields of a check. Forms have only strings; `data` can also be an object in a JSON body. */
export type CheckFields = Partial<Record<FieldName, unknown>>;

/** Maximum number of fields in a form. LanguageTool's clients send about ten. */
const MAX_FIELDS = 1_000;
const AMPERSAND = 0x26;
const EQUALS = 0x3d;
const PERCENT = 0x25;
const PLUS = 0x2b;
const BRACE = 0x7b;
const WHITE_SPACE: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0d, 0x20]);

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
  const fields: CheckFields = {};
  for (const name of NAMES) if (Object.hasOwn(value, name)) fields[name] = value[name];
  return fields;
}

function formFields(body: Uint8Array): CheckFields {
  const fields: CheckFields = {};
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
    const field = body.subarray(start, end);
    const equals = field.indexOf(EQUALS);
    const name = decoded(field.subarray(0, equals === -1 ? field.length : equals));
    if (isFieldName(name)) fields[name] = equals === -1 ? '' : decoded(field.subarray(equals + 1));
    start = end + 1;
  }
  return fields;
}

function isFieldName(name: string): name is FieldName {
  return (NAMES as readonly string[]).includes(name);
}

/**
 * Decodes `+` and percent-encoded UTF-8. A percent sign without two hexadecimal digits stands for itself, because some
 * editors send their text unencoded.
 */
function decoded(bytes: Uint8Array): string {
  const text = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    const high = byte === PERCENT ? digitOf(bytes[at + 1]) : -1;
    const low = high === -1 ? -1 : digitOf(bytes[at + 2]);
    if (low !== -1) {
      text[length] = high * 16 + low;
      at += 2;
    } else text[length] = byte === PLUS ? 0x20 : byte;
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
