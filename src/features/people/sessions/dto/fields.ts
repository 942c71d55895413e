import { maxLength, minLength } from 'class-validator';
import { Field, type FieldOptions } from '../../../../platform/openapi/field.js';
import { MAX_PASSWORD, MIN_PASSWORD } from '../passwords.js';

/** A password. One that `isNew` must be long enough. */
export const PasswordField = ({
  isNew = false,
  ...options
}: FieldOptions & { isNew?: boolean } = {}) =>
  Field.schema(
    { type: String, format: 'password', maxLength: MAX_PASSWORD, example: 'correct horse battery' },
    {
      check: (password) => {
        if (typeof password !== 'string') return 'must be a string';
        if (!maxLength(password, MAX_PASSWORD)) {
          return `is longer than any password here: ${String(MAX_PASSWORD)} characters`;
        }
        return isNew && !minLength(password, MIN_PASSWORD)
          ? `must have at least ${String(MIN_PASSWORD)} characters`
          : undefined;
      },
      ...options,
    },
  );

/** The name of a person. */
export const PersonNameField = (options: FieldOptions = {}) =>
  Field.text({ max: 200, notBlank: true, oneLine: true, example: 'Ada Lovelace', ...options });

/** A code of an authenticator app, or a recovery code. */
export const CodeField = (options: FieldOptions = {}) =>
  Field.text({
    max: 50,
    description: 'Of the authenticator app, or a recovery code.',
    example: '123456',
    ...options,
  });
