import { Injectable } from '@nestjs/common';
import { normaliseEmail } from '../auth/accounts/email-address.js';
import type { Person } from '../auth/person.js';
import type { Caller } from '../database/bounded-queue.js';
import { Database } from '../database/database.js';
import { AppError, invalidFields, type FieldProblem } from '../errors/app-error.js';
import type { Client } from './client.js';
import { OneTimeLinks, type OneTimeLink } from './one-time-links.js';
import { Passwords } from './passwords.js';
import { PasswordChange } from './password-change.js';
import { SecondFactorsService } from './second-factors.service.js';
import type { Session } from './sessions.service.js';
import { SignInService } from './sign-in.service.js';
import { UsersService } from './users.service.js';

/** What somebody who opened a link fills in; which of it is needed says the link. */
export interface LinkAnswers {
  token: string;
  email?: string | undefined;
  name?: string | undefined;
  password?: string | undefined;
  code?: string | undefined;
}

/** Who asks: the client, and the session of somebody who is signed in already. */
export interface LinkUser {
  client: Client;
  session: Session | undefined;
  caller?: Caller;
}

/** What becomes of an invitation when somebody takes it; called in the transaction in which the link is used up. */
export interface InvitationHandler {
  /** Makes the user a member. What it throws is answered, and the link stays good. */
  accept(invitation: OneTimeLink, user: Person, client: Client): Promise<void>;
}

/** Does what links are for. */
@Injectable()
export class LinkUseService {
  private invitations: InvitationHandler | undefined;

  constructor(
    private readonly database: Database,
    private readonly links: OneTimeLinks,
    private readonly users: UsersService,
    private readonly passwords: Passwords,
    private readonly passwordChange: PasswordChange,
    private readonly signIn: SignInService,
    private readonly secondFactors: SecondFactorsService,
  ) {}

  /** Members are another feature, which knows this one. */
  onInvitation(handler: InvitationHandler): void {
    this.invitations = handler;
  }

  /** Whether somebody with the e-mail address of the link is a user already. */
  async isForUser({ purpose, email }: OneTimeLink): Promise<boolean> {
    if (purpose !== 'invitation') return purpose === 'password';
    return email !== null && (await this.users.findByEmail(email)) !== undefined;
  }

  /**
   * Uses the link; the user whom it is for, and whether it shows enough to sign him in. Throws `not_found` for a link that is no more good, `bad_request` for what is
   * missing, and what signing in throws.
   */
  async use(answers: LinkAnswers, by: LinkUser): Promise<{ user: Person; signsIn: boolean }> {
    const link = await this.links.find(answers.token);
    switch (link.purpose) {
      case 'first-run':
        return { user: await this.begin(link, answers, by), signsIn: true };
      case 'invitation':
        return { user: await this.join(link, answers, by), signsIn: true };
      case 'password': {
        const user = await this.setPassword(link, answers, by);
        // The link stands for the password, and shows nothing of the second factor.
        return { user, signsIn: !(await this.secondFactors.isOn(user.id)) };
      }
    }
  }

  /** The first user takes over what the service has made; any other one gets an account of his own. */
  private async begin(link: OneTimeLink, answers: LinkAnswers, { caller }: LinkUser) {
    const { name, password } = required(answers, 'name', 'password');
    const email = link.email ?? normaliseEmail(required(answers, 'email').email);
    const hash = await this.passwords.hash(password, caller);
    return this.database.transaction(async () => {
      const { user: former } = await this.links.take(answers.token);
      const user = former
        ? await this.users.takeOver(former, email, name.trim())
        : await this.users.createWithAccount(email, name.trim());
      await this.users.setPassword(user.id, hash, true);
      return user;
    }, caller);
  }

  private async setPassword(
    { user }: OneTimeLink,
    answers: LinkAnswers,
    { client, caller }: LinkUser,
  ): Promise<Person> {
    if (!user) throw new Error('A link to set a password names no user.');
    const { password } = required(answers, 'password');
    const hash = await this.passwords.hash(password, caller);
    await this.database.transaction(async () => {
      await this.links.take(answers.token);
      await this.passwordChange.byLink(user, hash, client);
    }, caller);
    return user;
  }

  private async join(link: OneTimeLink, answers: LinkAnswers, by: LinkUser): Promise<Person> {
    const { client, session, caller } = by;
    const email = link.email ?? '';
    const known = await this.users.findByEmail(email);
    if (!known) return this.joinAsNewUser(email, answers, by);
    if (session?.user.id !== known.id) {
      // Whoever invites has the link too: for a user it is no proof of who opens it.
      if ((await this.users.passwordHashOf(known.id)) === undefined) throw signInFirst();
      const { password } = required(answers, 'password');
      await this.signIn.identify({ email, password, code: answers.code }, client, caller);
    }
    await this.database.transaction(() => this.accept(answers.token, known, client), caller);
    return known;
  }

  private async joinAsNewUser(email: string, answers: LinkAnswers, { client, caller }: LinkUser) {
    const { name, password } = required(answers, 'name', 'password');
    const hash = await this.passwords.hash(password, caller);
    return this.database.transaction(async () => {
      const user = await this.users.create(email, name.trim());
      await this.users.setPassword(user.id, hash, false);
      await this.accept(answers.token, user, client);
      return user;
    }, caller);
  }

  private async accept(token: string, user: Person, client: Client): Promise<void> {
    const invitation = await this.links.take(token);
    if (!this.invitations) throw new Error('Nobody takes invitations.');
    await this.invitations.accept(invitation, user, client);
  }
}

/** The answer to an invitation of a user who has no password by which it can be seen that it is him. */
export function signInFirst(): AppError {
  return new AppError(
    'conflict',
    'There is a user with this e-mail address who has no password. Sign in the usual way, or by a link of the operator of the service, and open this link again.',
  );
}

/** These answers. Throws `bad_request` that names those that are missing. */
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
