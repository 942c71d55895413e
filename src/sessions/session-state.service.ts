import { Injectable } from '@nestjs/common';
import { MembersService } from '../auth/accounts/members.service.js';
import { ROLE_SCOPES } from '../auth/roles.js';
import { Config } from '../config/config.js';
import { encodeId } from '../identifiers/identifiers.js';
import type { SessionStateDto } from './dto/session.dto.js';
import type { Session } from './sessions.service.js';
import { UsersService } from './users.service.js';

/** Tells a browser who is signed in, and what is offered to those who are not. */
@Injectable()
export class SessionStateService {
  constructor(
    private readonly users: UsersService,
    private readonly members: MembersService,
    private readonly config: Config,
  ) {}

  async read(session: Session | undefined): Promise<SessionStateDto> {
    const { signUp } = this.config;
    const offered = { roles: ROLE_SCOPES, signUp, oidc: null };
    if (!session) return { user: null, sessionId: null, accounts: [], ...offered };
    const { user } = session;
    const memberships = await this.members.membershipsOf(user.id);
    return {
      user: {
        id: encodeId('user', user.id),
        name: user.name,
        email: user.email,
        hasPassword: (await this.users.passwordHashOf(user.id)) !== undefined,
        twoFactor: false,
      },
      sessionId: encodeId('session', session.id),
      accounts: memberships.map(({ accountName, principal: { accountId, plan, role } }) => ({
        ...{ id: encodeId('account', accountId), name: accountName, plan, role },
      })),
      ...offered,
    };
  }
}
