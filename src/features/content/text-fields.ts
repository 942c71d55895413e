import { registerDecorator } from 'class-validator';
import { isLongerThan } from '../../platform/http/envelope/text-length.js';

export const MAX_TITLE_CHARACTERS = 500;
export const MAX_CONTENT_BYTES = 1024 * 1024;

/** Requires a title: 1–500 characters (code points), not blank. */
export const IsTitle = () => HasNoProblem('isTitle', titleProblem);

/** Requires content: a string of at most 1 MiB of UTF-8. */
export const IsContent = () => HasNoProblem('isContent', contentProblem);

/** Maximum length in characters (code points). */
export const MAX_EXTERNAL_ID_CHARACTERS = 255;

/** Requires an external id: 1–255 characters, no control characters. */
export const IsExternalId = () => HasNoProblem('isExternalId', externalIdProblem);

/** Returns the problem of a title. */
export function titleProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (value.trim() === '') return 'must not be blank';
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
  if (value.trim() === '') return 'must not be blank';
  if (/\p{Cc}/u.test(value)) return 'must not contain control characters';
  if (value === '.' || value === '..') return 'must not be . or ..';
  return isLongerThan(value, MAX_EXTERNAL_ID_CHARACTERS)
    ? `must not be longer than ${String(MAX_EXTERNAL_ID_CHARACTERS)} characters`
    : undefined;
}

/** Registers a validation rule. `problemOf` returns the problem of a value, or `undefined` if it is valid. */
export function HasNoProblem(
  name: string,
  problemOf: (value: unknown) => string | undefined,
): PropertyDecorator {
  return (target, property) => {
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: property as string,
      validator: {
        validate: (value: unknown) => problemOf(value) === undefined,
        defaultMessage: (validation) => problemOf(validation?.value) ?? 'is not valid',
      },
    });
  };
}
