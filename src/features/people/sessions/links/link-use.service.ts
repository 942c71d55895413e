import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../platform/basics/clock/clock.js';
import {
  AppError,
  invalidFields,
  notFound,
  type FieldProblem,
} from '../../../../platform/basics/errors/app-error.js';
import type { Caller } from '../../../../platform/basics/concurrency/fair-limiter.js';
import { Database } from '../../../../platform/database/database.js';
import { lockAccount } from '../../../access/auth/accounts/accounts.repository.js';
import { normalizeEmail } from '../../../access/auth/accounts/email-address.js';
import {
  insertMember,
  MembershipRepository,
} from '../../../access/auth/accounts/memberships.repository.js';
import type { Person } from '../../../access/auth/person.js';
import { insertAuditEntry } from '../../../audit/audit.repository.js';
import type { Client } from '../client.js';
import { SessionRepository, type Session } from '../session/sessions.repository.js';
import { Passwords } from '../sign-in/passwords.js';
import { SecondFactorsService } from '../sign-in/second-factors.service.js';
import { SignInService } from '../sign-in/sign-in.service.js';
import { UserAudit } from '../users/user-audit.js';
import { UserRepository } from '../users/users.repository.js';
import { OneTimeLinkRepository, type OneTimeLink } from './one-time-links.repository.js';

/** The form values of a person who opened a link. The link's kind determines which are required. */
interface LinkAnswers {
  token: string;
  email?: string | undefined;
  name?: string | undefined;
  password?: string | undefined;
  code?: string | undefined;
}

/** The client that uses a link, and the session if it is already signed in. */
interface LinkUser {
  client: Client;
  session: Session | undefined;
  caller?: Caller;
}

/** Uses one-time links: to start using the dashboard, to join an account, and to set a new password. */
@Injectable()
export class LinkUseService {
  constructor(
    private readonly database: Database,
    private readonly links: OneTimeLinkRepository,
    private readonly users: UserRepository,
    private readonly members: MembershipRepository,
    private readonly passwords: Passwords,
    private readonly secondFactors: SecondFactorsService,
    private readonly signIn: SignInService,
    private readonly sessions: SessionRepository,
    private readonly audit: UserAudit,
    private readonly clock: Clock,
  ) {}

  /** True if the link is for an existing user of the dashboard. */
  async isForUser({ purpose, email }: OneTimeLink): Promise<boolean> {
    if (purpose !== 'invitation') return purpose === 'password';
    return email !== null && (await this.users.findByEmail(email)) !== undefined;
  }

  /**
   * Uses the link. Returns its user, and whether the link is enough to sign them in. Throws `not_found` for a link that
   * is no longer valid, `bad_request` for missing values, and sign-in errors.
   */
  async use(answers: LinkAnswers, by: LinkUser): Promise<{ user: Person; signsIn: boolean }> {
    const link = await this.links.find(answers.token);
    switch (link.purpose) {
      case 'first-run':
        return { user: await this.useFirstRun(link, answers, by), signsIn: true };
      case 'invitation':
        return { user: await this.useInvitation(link, answers, by), signsIn: true };
      case 'password': {
        const user = await this.setPassword(link, answers, by);
        // The link replaces the password, but proves nothing about the second factor.
        return { user, signsIn: !(await this.secondFactors.isOn(user.id)) };
      }
    }
  }

  /** Lets the person take over the link's user, or creates a user with an account. */
  private async useFirstRun(
    link: OneTimeLink,
    answers: LinkAnswers,
    { caller }: LinkUser,
  ): Promise<Person> {
    const { name, password } = required(answers, 'name', 'password');
    const email = link.email ?? normalizeEmail(required(answers, 'email').email);
    const hash = await this.passwords.hash(password, caller);
    return this.database.transaction(async () => {
      const { user: former } = await this.links.take(answers.token);
      const user = former
        ? await this.users.takeOver(former, email, name.trim())
        : // The operator vouches for the address of the link, but not for one that its holder enters.
          await this.users.createWithAccount(email, name.trim(), link.email !== null);
      await this.users.setPassword(user.id, hash);
      return user;
    }, caller);
  }

  /** Sets a new password and ends all sessions of the user. */
  private async setPassword(
    { user }: OneTimeLink,
    answers: LinkAnswers,
    { client, caller }: LinkUser,
  ): Promise<Person> {
    if (!user) throw new Error('A link to set a password has no user.');
    const { password } = required(answers, 'password');
    const hash = await this.passwords.hash(password, caller);
    const userId = user.id;
    const details = { how: 'link' };
    const change = { action: 'user.change_password', userId, client, details } as const;
    return this.audit.recorded(change, async () => {
      await this.links.take(answers.token);
      await this.users.setPassword(userId, hash);
      await this.sessions.endAll(userId);
      return user;
    });
  }

  /** Makes the person a member. Throws `conflict` for a user without a password who is not signed in. */
  private async useInvitation(
    link: OneTimeLink,
    answers: LinkAnswers,
    by: LinkUser,
  ): Promise<Person> {
    const { client, session, caller } = by;
    const email = link.email ?? '';
    const known = await this.users.findByEmail(email);
    if (known) {
      if (session?.user.id !== known.id) {
        // The inviter also has the link, so it does not prove that the user opened it.
        if ((await this.users.passwordHashOf(known.id)) === undefined) throw signInFirst();
        const { password } = required(answers, 'password');
        await this.signIn.identify({ email, password, code: answers.code }, client, caller);
      }
      return this.accept(answers.token, () => Promise.resolve(known), by);
    }
    const { name, password } = required(answers, 'name', 'password');
    const hash = await this.passwords.hash(password, caller);
    const create = async () => {
      const user = await this.users.create(email, name.trim());
      await this.users.setPassword(user.id, hash);
      return user;
    };
    return this.accept(answers.token, create, by);
  }

  /**
   * Uses up the invitation and adds the member. Throws `conflict` for someone who is already a member. Their invitation
   * then stays valid.
   */
  private accept(
    token: string,
    findOrCreate: () => Promise<Person>,
    { client, caller }: LinkUser,
  ): Promise<Person> {
    return this.database.transaction(async () => {
      const { account, role, provesEmail } = await this.links.take(token);
      if (!account || !role) throw new Error('An invitation has no account or no role.');
      const user = await findOrCreate();
      // Only the mailed link verifies the address. The inviter sees the other link, and may have invited anyone.
      if (provesEmail) await this.users.verifyEmail(user.id);
      const accountId = account.id;
      await lockAccount(this.database, accountId);
      const at = this.clock.now();
      const member = { accountId, userId: user.id, role, createdAt: at };
      if (!(await insertMember(this.database, member))) throw isMember();
      const principal = await this.members.principalOf(user.id, accountId);
      if (!principal) throw notFound('account');
      await insertAuditEntry(this.database, {
        action: 'user.join',
        resourceId: user.id,
        at,
        context: { ...client, principal },
        details: { role },
      });
      return user;
    }, caller);
  }
}

/** Returns the answers. Throws `bad_request` for the missing ones. */
function required<Name extends 'email' | 'name' | 'password'>(
  answers: LinkAnswers,
  ...names: Name[]
): Record<Name, string> {
  const missing = names
    .filter((name) => answers[name] === undefined)
    .map((field): FieldProblem => ({ field, issue: 'required field missing' }));
  const [first, ...rest] = missing;
  if (first) throw invalidFields([first, ...rest]);
  return answers as Record<Name, string>;
}

/** The error for an invited user without a password to prove their identity. */
export function signInFirst(): AppError {
  return new AppError(
    'conflict',
    'The user with this e-mail address has no password. Sign in as usual, or with a link from the operator of the service, and open this link again.',
  );
}

export function isMember(): AppError {
  return new AppError('conflict', 'This user already belongs to the account.', {
    field: 'email',
    issue: 'is a member',
  });
}
