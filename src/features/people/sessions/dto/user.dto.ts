import { textSchema } from '../../../../platform/openapi/schemas.js';
import { Field } from '../../../../platform/openapi/field.js';
import { CodeField, PasswordField, PersonNameField } from './fields.js';

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

/** What shows that it is the user who changes how he signs in. */
export class PasswordAndCodeDto extends BeginTwoFactorDto {
  @CodeField()
  code: string;
}

/** What an authenticator app needs. */
export class TwoFactorSecretDto {
  @Field.schema({
    type: String,
    maxLength: 64,
    description: 'In base32, to be typed into the app.',
    example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  })
  secret: string;

  @Field.schema({
    type: String,
    maxLength: 1_000,
    description: 'The same as an address, for a QR code.',
    example:
      'otpauth://totp/Document%20Service:ada@example.com?issuer=Document%20Service&secret=JBSW',
  })
  uri: string;
}

/** Codes that are shown this once. */
export class RecoveryCodesDto {
  @Field.list(textSchema(24), {
    max: 10,
    description: 'Each stands once for a code of the app.',
    example: ['0f3a-91bc-77de-2c04-a8f1'],
  })
  recoveryCodes: string[];
}
