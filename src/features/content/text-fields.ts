import { registerDecorator } from 'class-validator';
import { isLongerThan } from '../../platform/http/envelope/text-length.js';

export const MAX_TITLE_CHARACTERS = 500;
export const MAX_CONTENT_BYTES = 1024 * 1024;

/** A title: 1–500 characters (code points), not only white space. */
export const IsTitle = () => IsWithout('isTitle', titleProblem);

/** Content: a string of at most 1 MiB of UTF-8. */
export const IsContent = () => IsWithout('isContent', contentProblem);

/** Characters (code points). */
export const MAX_EXTERNAL_ID_CHARACTERS = 255;

/** An id of the client's own, or null: 1–255 characters, none of them a control character. */
export const IsExternalId = () => IsWithout('isExternalId', externalIdProblem);

/** What is wrong with a title. */
export function titleProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (value.trim() === '') return 'must not be empty or only white space';
  if (isLongerThan(value, MAX_TITLE_CHARACTERS)) {
    return `must not be longer than ${String(MAX_TITLE_CHARACTERS)} characters`;
  }
  return undefined;
}

/** What is wrong with a content. */
export function contentProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  const bytes = Buffer.byteLength(value);
  return bytes > MAX_CONTENT_BYTES
    ? `must not be larger than ${String(MAX_CONTENT_BYTES)} bytes of UTF-8; it has ${String(bytes)}`
    : undefined;
}

/** What is wrong with an external id. It stands in paths, where `.` and `..` cannot: they lead to another path. */
export function externalIdProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (value.trim() === '') return 'must not be empty or only white space';
  if (/\p{Cc}/u.test(value)) return 'must not contain control characters';
  if (value === '.' || value === '..') return 'must not be . or ..';
  return isLongerThan(value, MAX_EXTERNAL_ID_CHARACTERS)
    ? `must not be longer than ${String(MAX_EXTERNAL_ID_CHARACTERS)} characters`
    : undefined;
}

/** A field without this problem; `name` is the rule's, `problemOf` says what is wrong with a value. */
export function IsWithout(
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
