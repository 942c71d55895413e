import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsOptional } from 'class-validator';
import { ROLES, type Role } from '../../../access/auth/roles.js';
import { IsRequired } from '../../../../platform/http/envelope/field-decorators.js';
import {
  ApiEmail,
  ApiId,
  ApiText,
  ApiTimestamp,
} from '../../../../platform/openapi/property-decorators.js';

const ROLE_ISSUE = { message: `must be one of ${ROLES.join(', ')}` };

/** A role in a body. */
export const IsRole = () => IsIn(ROLES, ROLE_ISSUE);

/** Somebody who belongs to the account. */
export class MemberDto {
  @ApiId('user')
  userId: string;

  @ApiText({ maxLength: 200, example: 'Ada Lovelace' })
  name: string;

  @ApiEmail()
  email: string;

  @ApiProperty({
    description:
      "Whether a mailed link, a sign-in provider or the operator has proved that the address is the user's.",
    example: true,
  })
  emailVerified: boolean;

  @ApiProperty({ enum: ROLES, example: 'admin' })
  role: Role;

  @ApiTimestamp()
  joinedAt: string;

  @ApiTimestamp({ nullable: true, description: 'When the user was last signed in somewhere.' })
  lastSeenAt: string | null;

  @ApiProperty({ description: 'Whether signing in takes a code, too.', example: true })
  twoFactor: boolean;

  @ApiProperty({ description: 'Whether it is who asks.', example: false })
  isYou: boolean;
}

/** The body of `PATCH …/members/{userId}`. */
export class ChangeMemberDto {
  @ApiProperty({ enum: ROLES, example: 'member' })
  @IsRole()
  @IsRequired()
  role: Role;
}

/** The query of `DELETE …/members/{userId}`. */
export class RemoveMemberDto {
  @ApiProperty({
    type: Boolean,
    required: false,
    default: false,
    description: 'Whether the API keys end that this user made in the account.',
    example: true,
  })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) =>
    value === 'true' ? true : value === 'false' ? false : value,
  )
  @IsIn([true, false], { message: 'must be true or false' })
  revokeKeys?: boolean;
}
