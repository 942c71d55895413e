import { Injectable } from '@nestjs/common';
import { MembershipsRepository } from '../../../auth/accounts/memberships.repository.js';
import type { Person } from '../../../auth/person.js';
import { ROLE_SCOPES } from '../../../auth/roles.js';
import { Config } from '../../../../platform/config/config.js';
import { encodeId } from '../../../../platform/basics/identifiers/identifiers.js';
import type { SessionStateDto, SignedInUserDto } from '../dto/session.dto.js';
import { SecondFactorsService } from '../sign-in/second-factors.service.js';
import type { Session } from './sessions.repository.js';
import { UsersRepository } from '../users/users.repository.js';

/** Returns who is signed in, and which ways to sign in are available. */
@Injectable()
export class SessionStateService {
  constructor(
    private readonly users: UsersRepository,
    private readonly members: MembershipsRepository,
    private readonly secondFactors: SecondFactorsService,
    private readonly config: Config,
  ) {}

  async read(session: Session | undefined): Promise<SessionStateDto> {
    const { signUp, oidc, mail } = this.config;
    const provider = oidc ? { name: oidc.name } : null;
    const available = { roles: ROLE_SCOPES, signUp, oidc: provider, mail: mail !== undefined };
    if (!session) return { user: null, sessionId: null, accounts: [], ...available };
    const { user } = session;
    const memberships = await this.members.membershipsOf(user.id);
    return {
      user: await this.readUser(user),
      sessionId: encodeId('session', session.id),
      accounts: memberships.map(({ accountName, principal: { accountId, plan, role } }) => ({
        ...{ id: encodeId('account', accountId), name: accountName, plan, role },
      })),
      ...available,
    };
  }

  async readUser({ id, name, email }: Person): Promise<SignedInUserDto> {
    return {
      id: encodeId('user', id),
      name,
      email,
      hasPassword: (await this.users.passwordHashOf(id)) !== undefined,
      twoFactor: await this.secondFactors.isOn(id),
      formerUserSetApart: await this.users.hasFormerUser(id),
    };
  }
}
