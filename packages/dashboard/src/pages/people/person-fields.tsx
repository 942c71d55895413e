import { PasswordInput, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { asFailure } from '../../api/failure.js';

interface FieldProps {
  value: string;
  onChange: (value: string) => void;
  /** Failure of the form. */
  error?: unknown;
  autoFocus?: boolean;
  disabled?: boolean;
}

/** Problem of one field. */
export function problemOf(error: unknown, field: string): string | undefined {
  return error === null || error === undefined ? undefined : asFailure(error).problemOf(field);
}

/** The email address for signing in. Password managers look for `username`. */
export function EmailField({
  value,
  onChange,
  error,
  readOnly,
  autoComplete = 'username',
  ...rest
}: FieldProps & { readOnly?: boolean; autoComplete?: string }) {
  return (
    <TextInput
      label="Email"
      type="email"
      name="email"
      autoComplete={autoComplete}
      inputMode="email"
      required
      withAsterisk={false}
      readOnly={readOnly === true}
      value={value}
      error={problemOf(error, 'email')}
      onChange={({ currentTarget }) => {
        onChange(currentTarget.value);
      }}
      {...rest}
    />
  );
}

export function NameField({ value, onChange, error, ...rest }: FieldProps) {
  return (
    <TextInput
      label="Name"
      name="name"
      autoComplete="name"
      maxLength={200}
      required
      withAsterisk={false}
      value={value}
      error={problemOf(error, 'name')}
      onChange={({ currentTarget }) => {
        onChange(currentTarget.value);
      }}
      {...rest}
    />
  );
}

/** Minimum length of a new password. The service also checks it. */
const MIN_PASSWORD = 8;

interface PasswordFieldProps extends FieldProps {
  label?: string;
  /** `new` makes password managers offer a generated one. */
  kind: 'current' | 'new';
  /** Member of the request body. */
  field?: string;
  /** Shown instead of the service's message about the field. */
  problem?: string | undefined;
}

export function PasswordField(props: PasswordFieldProps) {
  const { value, onChange, error, kind, label = 'Password', field = 'password', ...others } = props;
  const { problem = problemOf(error, field), ...rest } = others;
  return (
    <PasswordInput
      label={label}
      name={field}
      // Its default name contains the field's name, so a search for the password would find two elements.
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide password' }}
      autoComplete={kind === 'new' ? 'new-password' : 'current-password'}
      description={kind === 'new' ? `At least ${String(MIN_PASSWORD)} characters.` : undefined}
      required
      withAsterisk={false}
      value={value}
      error={problem}
      {...(props.problem !== undefined && ANNOUNCED)}
      onChange={({ currentTarget }) => {
        onChange(currentTarget.value);
      }}
      {...rest}
    />
  );
}

/** For a message that no alert repeats. */
const ANNOUNCED = { errorProps: { role: 'alert' } };

/**
 * A field for the code of an authenticator app. With `recovery`, it also accepts letters. With `announces`,
 * no alert repeats its message.
 */
export function CodeField({
  value,
  onChange,
  error,
  recovery = true,
  announces = false,
  description,
  ...rest
}: FieldProps & { recovery?: boolean; announces?: boolean; description?: ReactNode }) {
  const problem = problemOf(error, 'code');
  return (
    <TextInput
      label="Code"
      name="code"
      autoComplete="one-time-code"
      inputMode={recovery ? 'text' : 'numeric'}
      description={
        description ??
        (recovery
          ? 'Six digits from your authenticator app, or a recovery code.'
          : 'The six digits from your authenticator app.')
      }
      maxLength={50}
      required
      withAsterisk={false}
      value={value}
      error={problem !== undefined && `The code ${problem}.`}
      {...(announces && ANNOUNCED)}
      onChange={({ currentTarget }) => {
        onChange(currentTarget.value);
      }}
      {...rest}
    />
  );
}
