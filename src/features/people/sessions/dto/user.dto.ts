import { textSchema } from '../../../../platform/openapi/schemas.js';
import { Field, type FieldOptions } from '../../../../platform/openapi/field.js';
import { IsString, MaxLength, MinLength } from 'class-validator';
import { MAX_PASSWORD, MIN_PASSWORD } from '../sign-in/passwords.service.js';

/** A password. With `isNew`, it must be long enough. */
export const PasswordField = ({
  isNew = false,
  ...options
}: FieldOptions & { isNew?: boolean } = {}) =>
  Field.schema(
    { type: String, format: 'password', maxLength: MAX_PASSWORD, example: 'correct horse battery' },
    options,
    [
      IsString({ message: 'must be a string' }),
      MaxLength(MAX_PASSWORD, {
        message: `must not be longer than ${String(MAX_PASSWORD)} characters`,
      }),
      ...(isNew
        ? [
            MinLength(MIN_PASSWORD, {
              message: `must have at least ${String(MIN_PASSWORD)} characters`,
            }),
          ]
        : []),
    ],
  );

/** The name of a person. */
export const PersonNameField = (options: FieldOptions = {}) =>
  Field.text({ max: 200, notBlank: true, oneLine: true, example: 'Ada Lovelace', ...options });

/** A code of an authenticator app, or a recovery code. */
export const CodeField = (options: FieldOptions = {}) =>
  Field.text({
    max: 50,
    description: 'A code of the authenticator app, or a recovery code.',
    example: '123456',
    ...options,
  });

/** The body of `PATCH /dashboard/api/user`. */
export class ChangeUserDto {
  @PersonNameField()
  name: string;
}

/** The body of `POST /dashboard/api/user/password`. */
export class ChangePasswordDto {
  @PasswordField({ optional: true })
  currentPassword?: string;

  @PasswordField({ isNew: true })
  newPassword: string;
}

/** The body of `POST /dashboard/api/user/two-factor`. */
export class BeginTwoFactorDto {
  @PasswordField()
  password: string;
}

/** The body of `POST /dashboard/api/user/two-factor/confirm`. */
export class ConfirmTwoFactorDto {
  @CodeField()
  code: string;
}

/** Confirms that the user is changing their own sign-in. */
export class PasswordAndCodeDto extends BeginTwoFactorDto {
  @CodeField()
  code: string;
}

/** The secret for an authenticator app. */
export class TwoFactorSecretDto {
  @Field.schema({
    type: String,
    maxLength: 64,
    description: 'In base32, for typing into the app.',
    example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  })
  secret: string;

  @Field.schema({
    type: String,
    maxLength: 1_000,
    description: 'The same secret as a URL, for a QR code.',
    example:
      'otpauth://totp/Document%20Service:ada@example.com?issuer=Document%20Service&secret=JBSW',
  })
  uri: string;
}

/** Recovery codes, which are shown only once. */
export class RecoveryCodesDto {
  @Field.list(textSchema(24), {
    max: 10,
    description: 'Each one replaces a code of the app once.',
    example: ['0f3a-91bc-77de-2c04-a8f1'],
  })
  recoveryCodes: string[];
}

/** The body of `POST /dashboard/api/session`. */
export class SignInDto {
  @Field.email()
  email: string;

  @PasswordField()
  password: string;

  @CodeField({ optional: true })
  code?: string;
}

/** The body of `POST /dashboard/api/users`. */
export class SignUpDto {
  @Field.email()
  email: string;

  @PersonNameField()
  name: string;

  @PasswordField({ isNew: true })
  password: string;
}
