import { ApiProperty } from '@nestjs/swagger';
import { PLANS, type Plan } from '../../../access/auth/plan.js';
import { ROLE_SCOPES, type Role } from '../../../access/auth/roles.js';
import { SCOPES, type Scope } from '../../../access/auth/scopes.js';
import { SIGN_UP, type SignUp } from '../../../../platform/config/environment.js';
import {
  ApiEmail,
  ApiId,
  ApiText,
  ApiTimestamp,
} from '../../../../platform/openapi/property-decorators.js';

const ApiScopes = () =>
  ApiProperty({ enum: SCOPES, isArray: true, maxItems: SCOPES.length, example: ['*'] });

export class SignedInUserDto {
  @ApiId('user')
  id: string;

  @ApiText({ maxLength: 200, example: 'Ada Lovelace' })
  name: string;

  @ApiEmail()
  email: string;

  @ApiProperty({ description: 'False for who signs in by a provider only.', example: true })
  hasPassword: boolean;

  @ApiProperty({ description: 'Whether signing in takes a code, too.', example: false })
  twoFactor: boolean;
}

class AccountOfUserDto {
  @ApiId('account')
  id: string;

  @ApiText({ maxLength: 200, example: 'Analytical Engines Ltd' })
  name: string;

  @ApiProperty({ enum: PLANS, example: 'pro' })
  plan: Plan;

  @ApiProperty({ enum: Object.keys(ROLE_SCOPES), example: 'owner' })
  role: Role;
}

/** What each role may do. */
class RolesDto implements Record<Role, readonly Scope[]> {
  @ApiScopes()
  owner: readonly Scope[];

  @ApiScopes()
  admin: readonly Scope[];

  @ApiScopes()
  member: readonly Scope[];

  @ApiScopes()
  viewer: readonly Scope[];
}

class ProviderDto {
  @ApiText({ maxLength: 100, description: 'What its button says.', example: 'Example SSO' })
  name: string;
}

/** Who is signed in, and what is offered to those who are not. */
export class SessionStateDto {
  @ApiProperty({ type: SignedInUserDto, nullable: true })
  user: SignedInUserDto | null;

  @ApiId('session', { nullable: true })
  sessionId: string | null;

  @ApiProperty({ type: AccountOfUserDto, isArray: true, maxItems: 1_000 })
  accounts: AccountOfUserDto[];

  @ApiProperty({ type: RolesDto, description: 'The scopes of every role.' })
  roles: Record<Role, readonly Scope[]>;

  @ApiProperty({
    enum: SIGN_UP,
    description: 'Whether anybody may become a user.',
    example: 'open',
  })
  signUp: SignUp;

  @ApiProperty({
    type: ProviderDto,
    nullable: true,
    description: 'The OpenID Connect provider by which people can sign in.',
  })
  oidc: ProviderDto | null;
}

/** A browser in which the user is signed in. */
export class SessionDto {
  @ApiId('session')
  id: string;

  @ApiTimestamp()
  createdAt: string;

  @ApiTimestamp({ description: 'Written at most once a minute.' })
  seenAt: string;

  @ApiTimestamp({ description: 'It ends earlier when it is not used for seven days.' })
  expiresAt: string;

  @ApiProperty({ type: String, nullable: true, maxLength: 45, example: '192.0.2.7' })
  address: string | null;

  @ApiText({ nullable: true, maxLength: 300, example: 'Mozilla/5.0 (X11; Linux x86_64)' })
  userAgent: string | null;

  @ApiProperty({ description: 'Whether it is the one that asks.', example: true })
  current: boolean;
}
