import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import { ROLE_SCOPES, type Role } from '../../../access/auth/roles.js';
import { IfSent, IsRequired } from '../../../../platform/http/envelope/field-decorators.js';
import { ApiId, ApiText, ApiTimestamp } from '../../../../platform/openapi/property-decorators.js';
import { IsCode, IsEmailText, IsNewPassword, IsPersonName } from './fields.js';

const PURPOSES = ['first-run', 'invitation', 'password'] as const;

/** The body of `POST /dashboard/api/links/preview`. */
export class PreviewLinkDto {
  @ApiText({
    maxLength: 200,
    description: 'What stands behind `#` in the link.',
    example: 'iSrMLlw-eOtBu4wnO4tDlPk4cD4T0xaq0UpMe7LmZcA',
  })
  @MaxLength(200, { message: 'is longer than any token' })
  @IsString({ message: 'must be a string' })
  @IsRequired()
  token: string;
}

/** The body of `POST /dashboard/api/links/use`. */
export class UseLinkDto extends PreviewLinkDto {
  @IsEmailText()
  @IfSent()
  email?: string;

  @IsPersonName()
  @IfSent()
  name?: string;

  @IsNewPassword()
  @IfSent()
  password?: string;

  @IsCode()
  @IfSent()
  code?: string;
}

class LinkAccountDto {
  @ApiId('account')
  id: string;

  @ApiText({ maxLength: 200, example: 'Analytical Engines Ltd' })
  name: string;
}

/** What a link is for. */
export class LinkDto {
  @ApiProperty({ enum: PURPOSES, example: 'invitation' })
  purpose: (typeof PURPOSES)[number];

  @ApiProperty({
    type: String,
    format: 'email',
    nullable: true,
    maxLength: 254,
    example: 'ada@example.com',
  })
  email: string | null;

  @ApiProperty({ type: LinkAccountDto, nullable: true })
  account: LinkAccountDto | null;

  @ApiProperty({ enum: Object.keys(ROLE_SCOPES), nullable: true, example: 'member' })
  role: Role | null;

  @ApiText({ nullable: true, maxLength: 200, description: 'Who invites.', example: 'Grace Hopper' })
  invitedBy: string | null;

  @ApiProperty({
    description: 'Whether it is for somebody who is a user already, and has a password.',
    example: false,
  })
  userExists: boolean;

  @ApiTimestamp()
  expiresAt: string;
}
