import { ApiProperty } from '@nestjs/swagger';
import { IfSent, IsRequired } from '../../../../platform/http/envelope/field-decorators.js';
import { ApiText } from '../../../../platform/openapi/property-decorators.js';
import { IsCode, IsNewPassword, IsPassword, IsPersonName } from './fields.js';

/** The body of `PATCH /dashboard/api/user`. */
export class ChangeUserDto {
  @IsPersonName()
  @IsRequired()
  name: string;
}

/** The body of `POST /dashboard/api/user/password`. */
export class ChangePasswordDto {
  @IsPassword()
  @IfSent()
  currentPassword?: string;

  @IsNewPassword()
  @IsRequired()
  newPassword: string;
}

/** The body of `POST /dashboard/api/user/two-factor`. */
export class BeginTwoFactorDto {
  @IsPassword()
  @IsRequired()
  password: string;
}

/** The body of `POST /dashboard/api/user/two-factor/confirm`. */
export class ConfirmTwoFactorDto {
  @IsCode()
  @IsRequired()
  code: string;
}

/** What shows that it is the user who changes how he signs in. */
export class PasswordAndCodeDto extends BeginTwoFactorDto {
  @IsCode()
  @IsRequired()
  code: string;
}

/** What an authenticator app needs. */
export class TwoFactorSecretDto {
  @ApiProperty({
    maxLength: 64,
    description: 'In base32, to be typed into the app.',
    example: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  })
  secret: string;

  @ApiProperty({
    maxLength: 1_000,
    description: 'The same as an address, for a QR code.',
    example:
      'otpauth://totp/Document%20Service:ada@example.com?issuer=Document%20Service&secret=JBSW',
  })
  uri: string;
}

/** Codes that are shown this once. */
export class RecoveryCodesDto {
  @ApiText({
    isArray: true,
    maxItems: 10,
    maxLength: 24,
    description: 'Each stands once for a code of the app.',
    example: ['0f3a-91bc-77de-2c04-a8f1'],
  })
  recoveryCodes: string[];
}
