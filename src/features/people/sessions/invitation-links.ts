import { Injectable } from '@nestjs/common';
import type { Person } from '../../access/auth/person.js';
import { Database } from '../../../platform/database/database.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import type { Client } from './client.js';
import { required, type LinkAnswers, type LinkUser } from './link-answers.js';
import { OneTimeLinkRepository, type OneTimeLink } from './links/one-time-links.repository.js';
import { Passwords } from './sign-in/passwords.js';
import { SignInService } from './sign-in/sign-in.service.js';
import { UserRepository } from './users/users.repository.js';

/** What becomes of an invitation that is accepted; called in the transaction in which its link is used up. */
export interface InvitationHandler {
  /** Makes the user a member. What it throws is answered, and the link stays good. */
  accept(invitation: OneTimeLink, user: Person, client: Client): Promise<void>;
}

/** Links by which members invite others. */
@Injectable()
export class InvitationLinks {
  private handler: InvitationHandler | undefined;

  constructor(
    private readonly database: Database,
    private readonly links: OneTimeLinkRepository,
    private readonly users: UserRepository,
    private readonly passwords: Passwords,
    private readonly signIn: SignInService,
  ) {}

  /** Says who makes members: a feature that knows this one. */
  onAccept(handler: InvitationHandler): void {
    this.handler = handler;
  }

  /** Whether it invites somebody who is a user already. */
  async isForUser({ email }: OneTimeLink): Promise<boolean> {
    return email !== null && (await this.users.findByEmail(email)) !== undefined;
  }

  /** The user who is a member now. Throws `conflict` for a user without a password who is not signed in. */
  async use(link: OneTimeLink, answers: LinkAnswers, by: LinkUser): Promise<Person> {
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
    return this.accept(answers.token, () => Promise.resolve(known), by);
  }

  private async joinAsNewUser(email: string, answers: LinkAnswers, by: LinkUser): Promise<Person> {
    const { name, password } = required(answers, 'name', 'password');
    const hash = await this.passwords.hash(password, by.caller);
    const make = async () => {
      const user = await this.users.create(email, name.trim());
      await this.users.setPassword(user.id, hash);
      return user;
    };
    return this.accept(answers.token, make, by);
  }

  private async accept(
    token: string,
    findOrMake: () => Promise<Person>,
    { client, caller }: LinkUser,
  ): Promise<Person> {
    const { handler } = this;
    if (!handler) throw new Error('Nobody takes invitations.');
    return this.database.transaction(async () => {
      const invitation = await this.links.take(token);
      const user = await findOrMake();
      // The link that the inviter sees proves nothing: they may have invited an address of somebody else.
      if (invitation.provesEmail) await this.users.verifyEmail(user.id);
      await handler.accept(invitation, user, client);
      return user;
    }, caller);
  }
}

/** The answer to an invitation of a user who has no password by which it can be seen that it is him. */
export function signInFirst(): AppError {
  return new AppError(
    'conflict',
    'There is a user with this e-mail address who has no password. Sign in the usual way, or by a link of the operator of the service, and open this link again.',
  );
}
