import { invalidFields, type FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { isObject } from '../../../platform/http/bodies/json-text.js';
import { redactedStart } from '../../../platform/basics/redact-secrets.js';
import type { SecretBox } from '../../../platform/secrets/secret-box.js';
import { previewOf } from '../signing/webhook-secret.js';

/** Custom headers of a webhook, by name. */
export type CustomHeaders = Readonly<Record<string, string>>;

export const MAX_HEADERS = 20;
/** Maximum bytes of all names and values together. */
export const MAX_HEADERS_BYTES = 4096;
const MAX_NAME_LENGTH = 100;

/** A token of RFC 9110. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Printable ASCII without leading or trailing spaces, which HTTP strips. */
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Headers that the delivery sets, that belong to the connection, or that identify the sender. */
const RESERVED =
  /^(?:host|user-agent|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|date|via|accept-encoding|forwarded|__proto__|(?:content|webhook|proxy|sec|x-forwarded)-.*)$/i;

const MASK = '••••';
/** A masked value, as responses show it. */
const MASKED = /^••••[\x20-\x7e]{0,4}$/;

/** Validates the headers of a registration. Null means no headers. */
export function headerProblems(value: unknown): FieldProblem[] {
  if (value === null) return [];
  return shapeProblems(value, (field, text) =>
    isValue(text) ? [] : [{ field, issue: VALUE_ISSUE }],
  );
}

/** Validates a merge patch of headers. Null removes a header, and a masked value leaves it unchanged. */
export function headerPatchProblems(value: unknown): FieldProblem[] {
  if (value === null) return [];
  return shapeProblems(value, (field, text) => {
    if (text === null || isValue(text) || isMasked(text)) return [];
    return [{ field, issue: `${VALUE_ISSUE}, or null to remove it` }];
  });
}

const VALUE_ISSUE =
  'must be a string of printable ASCII (0x20 to 0x7e) without a space at its start or end';

function isValue(value: unknown): value is string {
  return typeof value === 'string' && VALUE.test(value);
}

function isMasked(value: unknown): boolean {
  return typeof value === 'string' && MASKED.test(value);
}

function shapeProblems(
  value: unknown,
  valueProblems: (field: string, text: unknown) => FieldProblem[],
): FieldProblem[] {
  const problem = (issue: string): FieldProblem[] => [{ field: 'headers', issue }];
  if (!isObject(value)) {
    return problem('must be an object of names and values, such as {"Authorization": "Bearer …"}');
  }
  const names = Object.keys(value);
  if (names.length > MAX_HEADERS) {
    return problem(`must not have more than ${String(MAX_HEADERS)} headers`);
  }
  const problems = names.flatMap((name) => {
    const field = `headers.${redactedStart(name, MAX_NAME_LENGTH)}`;
    const issue = nameIssue(name, names);
    return issue === undefined ? valueProblems(field, value[name]) : [{ field, issue }];
  });
  if (problems.length > 0) return problems;
  return bytesOf(value) > MAX_HEADERS_BYTES ? problem(TOO_LARGE) : [];
}

const TOO_LARGE = `must not be larger than ${String(MAX_HEADERS_BYTES)} bytes, names and values together`;

function nameIssue(name: string, names: readonly string[]): string | undefined {
  if (!NAME.test(name) || name.length > MAX_NAME_LENGTH) {
    return `is not a valid header name; use at most ${String(MAX_NAME_LENGTH)} letters, digits and hyphens`;
  }
  if (RESERVED.test(name)) {
    return 'is set by the service or belongs to the connection; use another name, such as Authorization or X-Api-Key';
  }
  const same = names.find((other) => other !== name && isSameName(other, name));
  return same === undefined ? undefined : `is the same header as ${same}; send it once`;
}

function bytesOf(headers: Record<string, unknown>): number {
  return Object.entries(headers).reduce(
    (sum, [name, value]) => sum + name.length + (typeof value === 'string' ? value.length : 0),
    0,
  );
}

function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/**
 * Applies a valid merge patch. Names are case-insensitive. Throws `bad_request` for a masked value that is not the mask of
 * the current value, and if there are too many headers or bytes.
 */
export function mergeHeaders(
  current: CustomHeaders,
  patch: Readonly<Record<string, string | null>> | null,
): CustomHeaders {
  if (patch === null) return {};
  const merged = new Map(Object.entries(current));
  for (const [name, value] of Object.entries(patch)) {
    const known = [...merged.keys()].find((other) => isSameName(other, name));
    const before = known === undefined ? undefined : merged.get(known);
    if (isMasked(value)) {
      if (before === undefined || maskOf(before) !== value) throw maskSent(name);
      continue;
    }
    if (known !== undefined) merged.delete(known);
    if (value !== null) merged.set(name, value);
  }
  const headers = Object.fromEntries(merged);
  if (merged.size > MAX_HEADERS) {
    const issue = `must not have more than ${String(MAX_HEADERS)} headers, including the existing ones`;
    throw invalidFields([{ field: 'headers', issue }]);
  }
  if (bytesOf(headers) > MAX_HEADERS_BYTES) {
    throw invalidFields([{ field: 'headers', issue: TOO_LARGE }]);
  }
  return headers;
}

function maskSent(name: string) {
  const issue = 'is a masked value; send the value itself, or leave the header out';
  return invalidFields([{ field: `headers.${name}`, issue }]);
}

/**
 * Returns the error for a URL at another origin without new headers. A client that can change a webhook must not be able to
 * read its secret headers by redirecting them to a server under its control.
 */
export function headersWouldMove() {
  const issue =
    'would be sent to another origin than they were set for; send each with its value, or null, along with the new url';
  return invalidFields([{ field: 'headers', issue }]);
}

/** True if a patch sets or removes every current header. */
export function replacesAll(
  current: CustomHeaders,
  patch: Readonly<Record<string, string | null>> | null | undefined,
): boolean {
  if (patch === null) return true;
  const given = Object.entries(patch ?? {}).filter(([, value]) => !isMasked(value));
  return Object.keys(current).every((name) => given.some(([other]) => isSameName(other, name)));
}

/** Returns the headers with masked values, sorted by name. */
export function maskHeaders(headers: CustomHeaders): Record<string, string> {
  const names = Object.keys(headers).sort();
  return Object.fromEntries(names.map((name) => [name, maskOf(headers[name] ?? '')]));
}

/** Shows the last characters of a value to identify it. Shows fewer for short values. */
function maskOf(value: string): string {
  return MASK + previewOf(value);
}

/** Encrypts headers for storage. Returns null if there are none. */
export function sealHeaders(
  box: SecretBox,
  headers: CustomHeaders,
  webhookId: string,
): Buffer | null {
  const hasNone = Object.keys(headers).length === 0;
  return hasNone ? null : box.seal(JSON.stringify(headers), webhookId);
}

/** Decrypts what {@link sealHeaders} returned. Throws `SecretUnreadableError`. */
export function openHeaders(
  box: SecretBox,
  record: Buffer | null,
  webhookId: string,
): CustomHeaders {
  return record === null ? {} : (JSON.parse(box.open(record, webhookId)) as CustomHeaders);
}
