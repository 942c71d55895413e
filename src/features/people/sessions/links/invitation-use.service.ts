import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../platform/basics/clock/clock.js';
import { AppError, invalidFields, notFound } from '../../../../platform/basics/errors/app-error.js';
import type { Caller } from '../../../../platform/basics/concurrency/fair-limiter.js';
import { Database } from '../../../../platform/database/database.js';
import { AccountsRepository } from '../../../auth/accounts/accounts.repository.js';
import { MembershipsRepository } from '../../../auth/accounts/memberships.repository.js';
import type { Person } from '../../../auth/person.js';
import { insertAuditEntry } from '../../../audit/audit.repository.js';
import type { Client } from '../client.js';
import type { Session } from '../session/sessions.repository.js';
import { PasswordsService } from '../sign-in/passwords.service.js';
import { SignInService } from '../sign-in/sign-in.service.js';
import { UnverifiedUsersService } from '../users/unverified-users.service.js';
import { UsersRepository } from '../users/users.repository.js';
import { OneTimeLinksRepository, type OneTimeLink } from './one-time-links.repository.js';

/** The form values of a person who opened a link. The link's kind determines which are required. */
export interface LinkFields {
  token: string;
  email?: string | undefined;
  name?: string | undefined;
  password?: string | undefined;
  code?: string | undefined;
}

/** The client that uses a link, and the session if it is already signed in. */
export interface LinkUser {
  client: Client;
  session: Session | undefined;
  caller?: Caller;
}

/** Adds people who accept an invitation to its account. */
@Injectable()
export class InvitationAcceptancesService {
  constructor(
    private readonly database: Database,
    private readonly links: OneTimeLinksRepository,
    private readonly users: UsersRepository,
    private readonly accounts: AccountsRepository,
    private readonly members: MembershipsRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Uses up the invitation and adds the member. Throws `conflict` for someone who is already a member. Their invitation
   * then stays valid.
   */
  accept(
    token: string,
    findOrCreate: () => Promise<Person>,
    { client, caller }: LinkUser,
  ): Promise<Person> {
    return this.database.transaction(async () => {
      const { account, role, provesEmail } = await this.links.take(token);
      if (!account || !role) throw new Error('An invitation has no account or no role.');
      const user = await findOrCreate();
      // Only the mailed link verifies the address. The inviter sees the other link, and may have invited anyone.
      if (provesEmail) await this.users.verifyEmail(user);
      const accountId = account.id;
      await this.accounts.lock(accountId);
      const at = this.clock.now();
      const member = { accountId, userId: user.id, role, createdAt: at };
      if (!(await this.members.insert(member))) throw isMember();
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

/** Finds or creates the user who accepts an invitation. */
@Injectable()
export class InvitationUseService {
  constructor(
    private readonly users: UsersRepository,
    private readonly unverified: UnverifiedUsersService,
    private readonly passwords: PasswordsService,
    private readonly signIn: SignInService,
    private readonly acceptances: InvitationAcceptancesService,
  ) {}

  /**
   * Makes the person a member: the signed-in user with the address, a user with this password, or, if there is a name, a
   * new one. The inviter also has the link, so nothing here depends on whether the address has a user, except that a wrong
   * password is refused. Throws `bad_request` for missing values, and sign-in errors.
   */
  async use(link: OneTimeLink, fields: LinkFields, by: LinkUser): Promise<Person> {
    const { client, session, caller } = by;
    const email = link.email ?? '';
    const signedIn = session?.user;
    if (signedIn?.email === email) {
      return this.acceptances.accept(fields.token, () => Promise.resolve(signedIn), by);
    }
    const { password } = fields;
    if (password === undefined) throw missingNewUser();
    const { name } = fields;
    if (name === undefined || (await this.isTaken(link))) {
      const known = await this.signIn.identify(
        { email, password, code: fields.code },
        client,
        caller,
      );
      return this.acceptances.accept(fields.token, () => Promise.resolve(known), by);
    }
    const hash = await this.passwords.hash(password, caller);
    const create = async () => {
      if (link.provesEmail) await this.unverified.setApart(email, 'service');
      const user = await this.users.create(email, name.trim());
      await this.users.setPassword(user.id, hash);
      return user;
    };
    return this.acceptances.accept(fields.token, create, by);
  }

  /**
   * True if the invited address has a user whom a new one cannot replace. A mailed link proves the address, so the person
   * who opens it is not bound to someone who signed up with it.
   */
  private async isTaken({ email, provesEmail }: OneTimeLink): Promise<boolean> {
    const address = email ?? '';
    if (!(await this.users.findByEmail(address))) return false;
    return !provesEmail || this.unverified.isVerified(address);
  }
}

/** The same for every address, so that it does not tell whether the address has a user. */
function missingNewUser(): AppError {
  return invalidFields([
    { field: 'name', issue: 'required field missing, unless you are a user already' },
    { field: 'password', issue: 'required field missing' },
  ]);
}

export function isMember(): AppError {
  return new AppError('conflict', 'This user already belongs to the account.', {
    field: 'email',
    issue: 'is a member',
  });
}
