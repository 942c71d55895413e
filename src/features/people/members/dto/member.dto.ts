import { Filter } from '../../../../platform/openapi/filter.js';
import { Field } from '../../../../platform/openapi/field.js';
import { ROLES, type Role } from '../../../auth/roles.js';
import { PickType } from '@nestjs/swagger';
import { SCOPES, type Scope } from '../../../auth/scopes.js';
import { ApiKeyDto, KeyCreatorDto } from '../../../keys/dto/api-key.dto.js';
import { AccountDetailsDto } from './account.dto.js';

/** A member of the account. */
export class MemberDto {
  @Field.id('user') userId: string;
  @Field.text({ max: 200, example: 'Ada Lovelace' }) name: string;
  @Field.email() email: string;

  @Field.flag({
    description:
      'True if a mailed link, a sign-in provider or the operator has verified the address.',
    example: true,
  })
  emailVerified: boolean;

  @Field.oneOf(ROLES, { example: 'admin' }) role: Role;
  @Field.time() joinedAt: string;

  @Field.time({ nullable: true, description: 'When the user last used a session.' })
  lastSeenAt: string | null;

  @Field.flag({ description: 'True if sign-in also requires a code.', example: true })
  twoFactor: boolean;

  @Field.flag({ description: 'True for the signed-in user.', example: false })
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
    description: 'Also revokes the API keys that this user created in the account.',
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

/** A pending invitation. */
export class InvitationDto {
  @Field.id('invitation') id: string;
  @Field.email() email: string;
  @Field.oneOf(ROLES, { example: 'member' }) role: Role;
  @Field.text({ max: 200, nullable: true, example: 'Ada Lovelace' }) invitedBy: string | null;
  @Field.time() createdAt: string;
  @Field.time() expiresAt: string;
}

/** A new invitation. */
export class IssuedInvitationDto extends InvitationDto {
  @Field.uri({
    description: 'The link to send to the invited person. It is shown only once and works once.',
    example: 'http://localhost:3000/dashboard/invitation#Zm9vYmFy',
  })
  link: string;
}

/** A new link of an invitation. */
export class InvitationLinkDto {
  @Field.uri({
    description: 'It is shown only once. The previous link no longer works.',
    example: 'http://localhost:3000/dashboard/invitation#Zm9vYmFy',
  })
  link: string;
}

class MyAccountDto extends PickType(AccountDetailsDto, ['id', 'name', 'plan', 'windows']) {}

/** The caller and its account. */
export class MeDto {
  @Field.oneOf(['key', 'person'], {
    description: 'An API key, or a member of the account who is signed in to the dashboard.',
    example: 'key',
  })
  kind: 'key' | 'person';

  @Field.object(ApiKeyDto, {
    nullable: true,
    description: 'The key record, without the key itself. Null for a person.',
  })
  key: ApiKeyDto | null;

  @Field.object(KeyCreatorDto, { description: 'The person, or the creator of the key.' })
  user: KeyCreatorDto;

  @Field.oneOf(ROLES, {
    nullable: true,
    description: 'The role of the person in the account. Null for a key.',
    example: null,
  })
  role: Role | null;

  @Field.list(SCOPES, {
    max: SCOPES.length,
    description: 'The scopes of the key, or of the role of the person.',
    example: ['documents:read', 'documents:write'],
  })
  scopes: readonly Scope[];

  @Field.object(MyAccountDto) account: MyAccountDto;
}
