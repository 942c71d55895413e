import { requireBytes, requireLength, requireName } from './field-limits.js';
import { decoded } from './form-encoding.js';
import { jsonValue, lastField, notJson, type SentField, type SentFields } from './sent-fields.js';

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

/** The fields of a check. Forms have only strings. Of a JSON body, `data` is the JSON text of its value. */
export type CheckFields = Partial<Record<FieldName, unknown>>;

/** Longer values are no keys, and only their start is decoded. */
const MAX_KEY_BYTES = 1_000;

/** Returns the key in a body, before anything else in it is decoded. */
export function keyIn(sent: SentFields): string | undefined {
  for (const name of ['apiKey', 'api_key']) {
    const field = lastField(sent, name);
    if (!field) continue;
    const key = keyOf(sent, field);
    if (typeof key === 'string' && key !== '') return key;
  }
  return undefined;
}

function keyOf({ body, isJson }: SentFields, { start, end }: SentField): unknown {
  const last = Math.min(end, start + MAX_KEY_BYTES);
  if (last < end) return body.toString('latin1', start, last);
  return isJson ? jsonValue(body, start, end) : decoded(body.subarray(start, end));
}

/**
 * Returns the fields of a body. Of a repeated field the last one counts. Checks the length of each value, also of ignored
 * ones, before it is used. Throws `bad_request` and `payload_too_large`.
 */
export function checkFields(sent: SentFields): CheckFields {
  if (sent.failure) throw sent.failure;
  const fields: CheckFields = {};
  for (const field of sent.fields) {
    const { name, nameBytes, start, end } = field;
    requireName(name, nameBytes);
    requireBytes(name, end - start);
    const value = valueOf(sent, field);
    requireLength(name, typeof value === 'string' ? value.length : end - start);
    if (isFieldName(name)) fields[name] = value;
  }
  return fields;
}

/** Returns the fields in a parsed query. Throws like {@link checkFields}. */
export function queryFields(query: Readonly<Record<string, unknown>>): CheckFields {
  const fields: CheckFields = {};
  for (const [name, values] of Object.entries(query)) {
    requireName(name);
    for (const value of [values].flat()) {
      requireLength(name, String(value).length);
      if (isFieldName(name)) fields[name] = value;
    }
  }
  return fields;
}

/** Returns a value of bounded length. Throws `bad_request` for invalid JSON. */
function valueOf({ body, isJson }: SentFields, { name, start, end }: SentField): unknown {
  if (!isJson) return decoded(body.subarray(start, end));
  if (name === 'data') return body.toString('utf8', start, end);
  const value = jsonValue(body, start, end);
  if (value === undefined) throw notJson();
  return value;
}

function isFieldName(name: string): name is FieldName {
  return (NAMES as readonly string[]).includes(name);
}
