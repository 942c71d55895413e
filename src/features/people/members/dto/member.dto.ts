import { Filter } from '../../../../platform/openapi/filter.js';
import { Field } from '../../../../platform/openapi/field.js';
import { ROLES, type Role } from '../../../access/auth/roles.js';
import { PickType } from '@nestjs/swagger';
import { SCOPES, type Scope } from '../../../access/auth/scopes.js';
import { ApiKeyDto, KeyCreatorDto } from '../../../keys/dto/api-key.dto.js';
import { AccountDetailsDto } from './account.dto.js';

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

/** The body of `POST …/invitations`. */
export class InviteDto {
  @Field.email() email: string;

  @Field.oneOf(ROLES, { example: 'member' })
  role: Role;
}

/** An invitation that can still be accepted. */
export class InvitationDto {
  @Field.id('invitation') id: string;
  @Field.email() email: string;
  @Field.oneOf(ROLES, { example: 'member' }) role: Role;
  @Field.text({ max: 200, nullable: true, example: 'Ada Lovelace' }) invitedBy: string | null;
  @Field.time() createdAt: string;
  @Field.time() expiresAt: string;
}

/** An invitation just made. */
export class IssuedInvitationDto extends InvitationDto {
  @Field.uri({
    description: 'For the one who is invited, shown this once. It works once.',
    example: 'http://localhost:3000/dashboard/invitation#Zm9vYmFy',
  })
  link: string;
}

/** A new link of an invitation. */
export class InvitationLinkDto {
  @Field.uri({
    description: 'Shown this once. The one before does not work any more.',
    example: 'http://localhost:3000/dashboard/invitation#Zm9vYmFy',
  })
  link: string;
}

class MyAccountDto extends PickType(AccountDetailsDto, ['id', 'name', 'plan', 'windows']) {}

/** Who asks, and for which account. */
export class MeDto {
  @Field.oneOf(['key', 'person'], {
    description: 'An API key, or a member of the account who has signed in to the dashboard.',
    example: 'key',
  })
  kind: 'key' | 'person';

  @Field.object(ApiKeyDto, {
    nullable: true,
    description: 'The key, without the key itself; null for a person.',
  })
  key: ApiKeyDto | null;

  @Field.object(KeyCreatorDto, { description: 'The person, or who made the key.' })
  user: KeyCreatorDto;

  @Field.oneOf(ROLES, {
    nullable: true,
    description: 'The role of the person in the account; null for a key.',
    example: null,
  })
  role: Role | null;

  @Field.list(SCOPES, {
    max: SCOPES.length,
    description: 'What the key, or the role of the person, may do.',
    example: ['documents:read', 'documents:write'],
  })
  scopes: readonly Scope[];

  @Field.object(MyAccountDto) account: MyAccountDto;
}
