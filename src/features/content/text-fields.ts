import { isBlank } from '../../platform/basics/text.js';
import { isLongerThan } from '../../platform/basics/text.js';

export const MAX_TITLE_CHARACTERS = 500;
export const MAX_CONTENT_BYTES = 1024 * 1024;

/** Characters (code points). */
export const MAX_EXTERNAL_ID_CHARACTERS = 255;

/** Returns the problem of a title. */
export function titleProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (isBlank(value)) return 'must not be blank';
  if (isLongerThan(value, MAX_TITLE_CHARACTERS)) {
    return `must not be longer than ${String(MAX_TITLE_CHARACTERS)} characters`;
  }
  return undefined;
}

/** Returns the problem of content. */
export function contentProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  const bytes = Buffer.byteLength(value);
  return bytes > MAX_CONTENT_BYTES
    ? `must not be larger than ${String(MAX_CONTENT_BYTES)} bytes of UTF-8; it has ${String(bytes)}`
    : undefined;
}

/** Returns the problem of an external id. `.` and `..` are invalid because they would change the request path. */
export function externalIdProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (isBlank(value)) return 'must not be blank';
  if (/\p{Cc}/u.test(value)) return 'must not contain control characters';
  if (value === '.' || value === '..') return 'must not be . or ..';
  return isLongerThan(value, MAX_EXTERNAL_ID_CHARACTERS)
    ? `must not be longer than ${String(MAX_EXTERNAL_ID_CHARACTERS)} characters`
    : undefined;
}
