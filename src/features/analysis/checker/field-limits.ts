import { AppError } from '../../../platform/basics/errors/app-error.js';
import { redactedStart } from '../../../platform/basics/redact-secrets.js';

/** Maximum length of a text, with its markup, in UTF-16 units. */
export const MAX_TEXT_LENGTH = 65_536;

/** Limits of lists of rules, categories and variants: names, and UTF-16 units of a name. Commas may have a space. */
const MAX_LIST_NAMES = 200;
const MAX_LIST_NAME = 100;
const MAX_LIST = MAX_LIST_NAMES * (MAX_LIST_NAME + 2);

/** Maximum length of the name of a field. */
const MAX_NAME = 100;
/** Maximum length of fields that the service ignores. */
const MAX_IGNORED = 10_000;

/** Maximum lengths of fields in UTF-16 units. 65,536 pieces of one character fit in `data`. */
const MAX_LENGTHS: ReadonlyMap<string, number> = new Map([
  ['text', MAX_TEXT_LENGTH],
  ['data', 1_500_000],
  ['preferredVariants', MAX_LIST],
  ['enabledRules', MAX_LIST],
  ['disabledRules', MAX_LIST],
  ['enabledCategories', MAX_LIST],
  ['disabledCategories', MAX_LIST],
  ['language', 100],
  ['motherTongue', 100],
  ['level', 100],
  ['enabledOnly', 100],
  ['apiKey', 1_000],
  ['api_key', 1_000],
]);

/** A UTF-16 unit takes up to three bytes of UTF-8, each of which a form writes as `%E5`. JSON needs six for `\u00e5`. */
const MAX_BYTES_OF_UNIT = 9;
/** Maximum bytes of a name to decode. Names with more bytes have more than {@link MAX_NAME} units. */
export const MAX_NAME_BYTES = MAX_BYTES_OF_UNIT * (MAX_NAME + 1);

const MAX_SHOWN = 50;

/** Throws `bad_request` for a name that is too long. `bytes` is its length as sent. */
export function requireName(name: string, bytes = name.length): void {
  if (name.length <= MAX_NAME) return;
  throw new AppError(
    'bad_request',
    `The name of the field "${shortened(name)}" has ${amount(bytes)} bytes; at most ${amount(MAX_NAME)} are allowed. In the text, send & as %26.`,
  );
}

/** Throws for a field whose bytes cannot be decoded to a value of a legal length. The bytes need not be decoded first. */
export function requireBytes(name: string, bytes: number): void {
  if (bytes > maxLengthOf(name) * MAX_BYTES_OF_UNIT + 2) throw tooLong(name, bytes, 'bytes');
}

/** Throws `payload_too_large` for a text that is too long, and `bad_request` for any other field that is. */
export function requireLength(name: string, length: number): void {
  if (length > maxLengthOf(name)) throw tooLong(name, length, 'characters');
}

function maxLengthOf(name: string): number {
  return MAX_LENGTHS.get(name) ?? MAX_IGNORED;
}

function tooLong(name: string, length: number, unit: 'bytes' | 'characters'): AppError {
  const limit = maxLengthOf(name);
  if (name === 'text') return textTooLong(length, unit);
  return new AppError(
    name === 'data' ? 'payload_too_large' : 'bad_request',
    `The field ${shortened(name)} has ${amount(length)} ${unit}; at most ${amount(limit)} characters are allowed. Send less.`,
  );
}

export function textTooLong(length: number, unit = 'characters'): AppError {
  const limit = unit === 'characters' ? '' : ' characters';
  return new AppError(
    'payload_too_large',
    `The text has ${amount(length)} ${unit}; at most ${amount(MAX_TEXT_LENGTH)}${limit} can be checked at once. Send it in parts.`,
  );
}

/** Throws `bad_request` for a list with too many names, or with one that is too long. */
export function requireNames(field: string, names: readonly string[]): void {
  if (names.length > MAX_LIST_NAMES) {
    throw new AppError(
      'bad_request',
      `The field ${field} has ${amount(names.length)} names; at most ${amount(MAX_LIST_NAMES)} are allowed. Send fewer.`,
    );
  }
  const long = names.find(({ length }) => length > MAX_LIST_NAME);
  if (long !== undefined) {
    throw new AppError(
      'bad_request',
      `The field ${field} has a name of ${amount(long.length)} characters, "${shortened(long)}"; at most ${amount(MAX_LIST_NAME)} are allowed. Separate names with commas.`,
    );
  }
}

function shortened(name: string): string {
  const start = name.length > MAX_SHOWN ? `${redactedStart(name, MAX_SHOWN)}…` : name;
  return start.toWellFormed();
}

function amount(count: number): string {
  return count.toLocaleString('en');
}
