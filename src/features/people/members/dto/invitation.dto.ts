import { ApiProperty } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { ROLES, type Role } from '../../../access/auth/roles.js';
import { IsRequired } from '../../../../platform/http/envelope/field-decorators.js';
import {
  ApiEmail,
  ApiId,
  ApiText,
  ApiTimestamp,
} from '../../../../platform/openapi/property-decorators.js';
import { IsRole } from './member.dto.js';

/** The body of `POST …/invitations`. */
export class InviteDto {
  @ApiEmail()
  @IsString({ message: 'must be a string' })
  @IsRequired()
  email: string;

  @ApiProperty({ enum: ROLES, example: 'member' })
  @IsRole()
  @IsRequired()
  role: Role;
}

/** An invitation that can still be accepted. */
export class InvitationDto {
  @ApiId('invitation')
  id: string;

  @ApiEmail()
  email: string;

  @ApiProperty({ enum: ROLES, example: 'member' })
  role: Role;

  @ApiText({ maxLength: 200, nullable: true, example: 'Ada Lovelace' })
  invitedBy: string | null;

  @ApiTimestamp()
  createdAt: string;

  @ApiTimestamp()
  expiresAt: string;
}

/** An invitation just made. */
export class IssuedInvitationDto extends InvitationDto {
  @ApiProperty({
    format: 'uri',
    maxLength: 2048,
    description: 'For the one who is invited, shown this once. It works once.',
    example: 'http://localhost:3000/dashboard/invitation#Zm9vYmFy',
  })
  link: string;
}

/** A new link of an invitation. */
export class InvitationLinkDto {
  @ApiProperty({
    format: 'uri',
    maxLength: 2048,
    description: 'Shown this once. The one before does not work any more.',
    example: 'http://localhost:3000/dashboard/invitation#Zm9vYmFy',
  })
  link: string;
}
