import { Filter } from '../../../../platform/openapi/filter.js';
import { Field } from '../../../../platform/openapi/field.js';
import { ROLES, type Role } from '../../../access/auth/roles.js';

/** Somebody who belongs to the account. */
export class MemberDto {
  @Field.id('user') userId: string;
  @Field.text({ max: 200, example: 'Ada Lovelace' }) name: string;
  @Field.email() email: string;

  @Field.flag({
    description:
      "Whether a mailed link, a sign-in provider or the operator has proved that the address is the user's.",
    example: true,
  })
  emailVerified: boolean;

  @Field.oneOf(ROLES, { example: 'admin' }) role: Role;
  @Field.time() joinedAt: string;

  @Field.time({ nullable: true, description: 'When the user was last signed in somewhere.' })
  lastSeenAt: string | null;

  @Field.flag({ description: 'Whether signing in takes a code, too.', example: true })
  twoFactor: boolean;

  @Field.flag({ description: 'Whether it is who asks.', example: false })
  isYou: boolean;
}

/** The body of `PATCH …/members/{userId}`. */
export class ChangeMemberDto {
  @Field.oneOf(ROLES, { example: 'member' })
  role: Role;
}

/** The query of `DELETE …/members/{userId}`. */
export class RemoveMemberDto {
  @Filter.flag({
    default: false,
    description: 'Whether the API keys end that this user made in the account.',
    example: true,
  })
  revokeKeys?: boolean;
}
