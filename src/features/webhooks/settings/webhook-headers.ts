import { invalidFields, type FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { isObject } from '../../../platform/http/envelope/json-text.js';
import { redactedStart } from '../../../platform/basics/redact-secrets.js';
import type { SecretBox } from '../../../platform/secrets/secret-box.js';
import { previewOf } from '../signing/webhook-secret.js';

/** Headers of a webhook's own, by name. */
export type CustomHeaders = Readonly<Record<string, string>>;

export const MAX_HEADERS = 20;
/** Of all names and values together. */
export const MAX_HEADERS_BYTES = 4096;
const MAX_NAME_LENGTH = 100;

/** A token of RFC 9110. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Printable ASCII without white space at its ends, which HTTP takes off. */
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** What the delivery says itself, what belongs to the connection, and what names who has sent a request. */
const RESERVED =
  /^(?:host|user-agent|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|date|via|accept-encoding|forwarded|__proto__|(?:content|webhook|proxy|sec|x-forwarded)-.*)$/i;

const MASK = '••••';
/** A value as answers show it. */
const MASKED = /^••••[\x20-\x7e]{0,4}$/;

/** What is wrong with the headers of a registration. Null is for none. */
export function headerProblems(value: unknown): FieldProblem[] {
  if (value === null) return [];
  return shapeProblems(value, (field, text) =>
    isValue(text) ? [] : [{ field, issue: VALUE_ISSUE }],
  );
}

/** What is wrong with a merge patch of headers, where null removes one and what answers show leaves it as it is. */
export function headerPatchProblems(value: unknown): FieldProblem[] {
  if (value === null) return [];
  return shapeProblems(value, (field, text) => {
    if (text === null || isValue(text) || isMasked(text)) return [];
    return [{ field, issue: `${VALUE_ISSUE}, or null to remove it` }];
  });
}

const VALUE_ISSUE =
  'must be a text of printable ASCII (0x20 to 0x7e) that neither begins nor ends with a space';

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
    return `is not the name of a header: letters, digits and hyphens, at most ${String(MAX_NAME_LENGTH)}`;
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
 * The headers after a merge patch that was found valid; names are the same in any case. Throws `bad_request` for a value
 * in the form of answers that is not that of the header, and for more than fits.
 */
export function mergeHeaders(
  present: CustomHeaders,
  patch: Readonly<Record<string, string | null>> | null,
): CustomHeaders {
  if (patch === null) return {};
  const merged = new Map(Object.entries(present));
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
    const issue = `must not have more than ${String(MAX_HEADERS)} headers, with those kept before`;
    throw invalidFields([{ field: 'headers', issue }]);
  }
  if (bytesOf(headers) > MAX_HEADERS_BYTES) {
    throw invalidFields([{ field: 'headers', issue: TOO_LARGE }]);
  }
  return headers;
}

function maskSent(name: string) {
  const issue = 'is only what answers show of a value; send the value itself, or leave it out';
  return invalidFields([{ field: `headers.${name}`, issue }]);
}

/**
 * The answer to a URL elsewhere while headers are kept: who may change a webhook must not get to read, by an address of
 * their own, what somebody else has put into its headers.
 */
export function headersWouldMove() {
  const issue =
    'would be sent to another origin than the one they were given for; send each with its value, or null, beside the new url';
  return invalidFields([{ field: 'headers', issue }]);
}

/** Whether a patch says of every header what becomes of it, by a value of its own or by null. */
export function replacesAll(
  present: CustomHeaders,
  patch: Readonly<Record<string, string | null>> | null | undefined,
): boolean {
  if (patch === null) return true;
  const given = Object.entries(patch ?? {}).filter(([, value]) => !isMasked(value));
  return Object.keys(present).every((name) => given.some(([other]) => isSameName(other, name)));
}

/** The headers as answers show them, by name. */
export function maskHeaders(headers: CustomHeaders): Record<string, string> {
  const names = Object.keys(headers).sort();
  return Object.fromEntries(names.map((name) => [name, maskOf(headers[name] ?? '')]));
}

/** The last characters of a value, to recognise it by; fewer of a short one. */
function maskOf(value: string): string {
  return MASK + previewOf(value);
}

/** The record to store of a webhook's headers; null where it has none. */
export function sealHeaders(
  box: SecretBox,
  headers: CustomHeaders,
  webhookId: string,
): Buffer | null {
  const hasNone = Object.keys(headers).length === 0;
  return hasNone ? null : box.seal(JSON.stringify(headers), webhookId);
}

/** What {@link sealHeaders} stored. Throws a `SecretUnreadableError`. */
export function openHeaders(
  box: SecretBox,
  record: Buffer | null,
  webhookId: string,
): CustomHeaders {
  return record === null ? {} : (JSON.parse(box.open(record, webhookId)) as CustomHeaders);
}
