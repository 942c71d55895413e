import { Field } from '../../../../platform/openapi/field.js';
import { PLANS, type Plan } from '../../../auth/plan.js';
import { ROLE_SCOPES, type Role } from '../../../auth/roles.js';
import { SCOPES, type Scope } from '../../../auth/scopes.js';
import { SIGN_UP, type SignUp } from '../../../../platform/config/environment.js';

const ScopesField = () => Field.list(SCOPES, { max: SCOPES.length, example: ['*'] });

export class SignedInUserDto {
  @Field.id('user') id: string;
  @Field.text({ max: 200, example: 'Ada Lovelace' }) name: string;
  @Field.email() email: string;

  @Field.flag({ description: 'False for users who sign in only with a provider.', example: true })
  hasPassword: boolean;

  @Field.flag({ description: 'True if sign-in also requires a code.', example: false })
  twoFactor: boolean;

  @Field.flag({
    description:
      'True if someone had signed up with this address before it was verified. That user was set apart with their accounts. False once the user has dismissed the notice.',
    example: false,
  })
  formerUserSetApart: boolean;
}

class AccountOfUserDto {
  @Field.id('account') id: string;
  @Field.text({ max: 200, example: 'Analytical Engines Ltd' }) name: string;
  @Field.oneOf(PLANS, { example: 'pro' }) plan: Plan;
  @Field.oneOf(Object.keys(ROLE_SCOPES), { example: 'owner' }) role: Role;
}

/** The scopes of each role. */
class RolesDto implements Record<Role, readonly Scope[]> {
  @ScopesField()
  owner: readonly Scope[];

  @ScopesField()
  admin: readonly Scope[];

  @ScopesField()
  member: readonly Scope[];

  @ScopesField()
  viewer: readonly Scope[];
}

class ProviderDto {
  @Field.text({ max: 100, description: 'The name on its sign-in button.', example: 'Example SSO' })
  name: string;
}

/** The signed-in user, and the ways to sign in. */
export class SessionStateDto {
  @Field.object(SignedInUserDto, { nullable: true }) user: SignedInUserDto | null;
  @Field.id('session', { nullable: true }) sessionId: string | null;
  @Field.list(AccountOfUserDto, { max: 1_000 }) accounts: AccountOfUserDto[];

  @Field.object(RolesDto, { description: 'The scopes of every role.' }) roles: Record<
    Role,
    readonly Scope[]
  >;

  @Field.oneOf(SIGN_UP, { description: 'True if anyone can sign up.', example: 'open' })
  signUp: SignUp;

  @Field.object(ProviderDto, {
    nullable: true,
    description: 'The OpenID Connect provider that users can sign in with.',
  })
  oidc: ProviderDto | null;

  @Field.flag({
    description: 'True if the service sends invitations and links for a new password by mail.',
    example: true,
  })
  mail: boolean;
}

/** A browser in which the user is signed in. */
export class SessionDto {
  @Field.id('session') id: string;
  @Field.time() createdAt: string;
  @Field.time({ description: 'Updated at most once a minute.' }) seenAt: string;

  @Field.time({ description: 'The session ends earlier if it is not used for seven days.' })
  expiresAt: string;

  @Field.schema({ type: String, maxLength: 45 }, { nullable: true, example: '192.0.2.7' })
  address: string | null;

  @Field.text({ nullable: true, max: 300, example: 'Mozilla/5.0 (X11; Linux x86_64)' })
  userAgent: string | null;

  @Field.flag({ description: 'True for the current session.', example: true })
  current: boolean;
}
