import { Injectable } from '@nestjs/common';
import { invalidFields, type FieldProblem } from '../../../../platform/basics/errors/app-error.js';
import { Database } from '../../../../platform/database/database.js';
import { normalizeEmail } from '../../../auth/accounts/email-address.js';
import type { Person } from '../../../auth/person.js';
import { SessionsRepository } from '../session/sessions.repository.js';
import { PasswordsService } from '../sign-in/passwords.service.js';
import { SecondFactorsService } from '../sign-in/second-factors.service.js';
import { UserAuditService } from '../users/user-audit.service.js';
import { UnverifiedUsersService } from '../users/unverified-users.service.js';
import { UsersRepository } from '../users/users.repository.js';
import { InvitationUseService, type LinkFields, type LinkUser } from './invitation-use.service.js';
import { OneTimeLinksRepository, type OneTimeLink } from './one-time-links.repository.js';

/** Uses one-time links: to start using the dashboard, to join an account, and to set a new password. */
@Injectable()
export class LinkUseService {
  constructor(
    private readonly database: Database,
    private readonly links: OneTimeLinksRepository,
    private readonly users: UsersRepository,
    private readonly unverified: UnverifiedUsersService,
    private readonly passwords: PasswordsService,
    private readonly secondFactors: SecondFactorsService,
    private readonly sessions: SessionsRepository,
    private readonly audit: UserAuditService,
    private readonly invitations: InvitationUseService,
  ) {}

  /**
   * Uses the link. Returns its user, and whether the link is enough to sign them in. Throws `not_found` for a link that
   * is no longer valid, `bad_request` for missing values, and sign-in errors.
   */
  async use(fields: LinkFields, by: LinkUser): Promise<{ user: Person; signsIn: boolean }> {
    const link = await this.links.find(fields.token);
    switch (link.purpose) {
      case 'first-run':
        return { user: await this.useFirstRun(link, fields, by), signsIn: true };
      case 'invitation':
        return { user: await this.invitations.use(link, fields, by), signsIn: true };
      case 'password': {
        const user = await this.setPassword(link, fields, by);
        // The link replaces the password, but proves nothing about the second factor.
        return { user, signsIn: !(await this.secondFactors.isOn(user.id)) };
      }
    }
  }

  /** Lets the person take over the link's user, or creates a user with an account. */
  private async useFirstRun(
    link: OneTimeLink,
    fields: LinkFields,
    { caller }: LinkUser,
  ): Promise<Person> {
    const { name, password } = required(fields, 'name', 'password');
    const email = link.email ?? normalizeEmail(required(fields, 'email').email);
    const hash = await this.passwords.hash(password, caller);
    return this.database.transaction(async () => {
      const { user: former } = await this.links.take(fields.token);
      // The operator has vouched for the address of the link, so nobody who signed up with it in the meantime keeps it.
      if (!former && link.email !== null) await this.unverified.setApart(link.email, 'operator');
      const user = former
        ? await this.users.takeOver(former, email, name.trim())
        : // The operator does not vouch for an address that the holder of the link enters.
          await this.users.createWithAccount(email, name.trim(), link.email !== null);
      await this.users.setPassword(user.id, hash);
      return user;
    }, caller);
  }

  /** Sets a new password and ends all sessions of the user. */
  private async setPassword(
    { user }: OneTimeLink,
    fields: LinkFields,
    { client, caller }: LinkUser,
  ): Promise<Person> {
    if (!user) throw new Error('A link to set a password has no user.');
    const { password } = required(fields, 'password');
    const hash = await this.passwords.hash(password, caller);
    const userId = user.id;
    const details = { how: 'link' };
    const change = { action: 'user.change_password', userId, client, details } as const;
    return this.audit.recorded(change, async () => {
      await this.links.take(fields.token);
      await this.users.setPassword(userId, hash);
      await this.sessions.endAll(userId);
      return user;
    });
  }
}

/** Returns the fields. Throws `bad_request` for the missing ones. */
function required<Name extends 'email' | 'name' | 'password'>(
  fields: LinkFields,
  ...names: Name[]
): Record<Name, string> {
  const missing = names
    .filter((name) => fields[name] === undefined)
    .map((field): FieldProblem => ({ field, issue: 'required field missing' }));
  const [first, ...rest] = missing;
  if (first) throw invalidFields([first, ...rest]);
  return fields as Record<Name, string>;
}
