import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Request } from 'express';
import { MembershipsRepository } from '../auth/accounts/memberships.repository.js';
import { Authenticators } from '../auth/guards/authenticators.js';
import type { Authenticator } from '../auth/authenticator.js';
import type { PersonPrincipal } from '../auth/principal.js';
import { notFound } from '../../platform/basics/errors/app-error.js';
import { decodeId, encodeId } from '../../platform/basics/identifiers/identifiers.js';
import { clientAddressOf } from '../../platform/network/client-address.js';
import { SessionsRepository } from '../people/sessions/session/sessions.repository.js';
import { notSignedIn } from '../people/sessions/session/signed-in.guard.js';
import { DashboardLimiter } from './dashboard.middleware.js';

/** The user whose page sent the request. A tab can stay open while someone else signs in in the same browser. */
const USER_HEADER = 'x-dashboard-user';

/**
 * Authenticates members by their session below `/dashboard/api/accounts/{accountId}`. The cookie has no effect elsewhere.
 */
@Injectable()
export class PersonAuthenticator implements Authenticator, OnModuleInit {
  constructor(
    private readonly authenticators: Authenticators,
    private readonly members: MembershipsRepository,
    private readonly sessions: SessionsRepository,
    private readonly limiter: DashboardLimiter,
  ) {}

  onModuleInit(): void {
    this.authenticators.register(this);
  }

  /**
   * Throws `unauthorized` without a session or if its user differs from `X-Dashboard-User`, `rate_limited` after too many
   * such requests from one network, and `not_found` for an account that the user does not belong to.
   */
  async authenticate(request: Request): Promise<PersonPrincipal | undefined> {
    const id = request.dashboard?.accountId;
    if (id === undefined) return undefined;
    const session = await this.sessions.findByRequest(request);
    if (!session) throw this.limiter.take(clientAddressOf(request)) ?? notSignedIn();
    const userId = request.headers[USER_HEADER];
    if (userId !== undefined && userId !== encodeId('user', session.user.id)) throw notSignedIn();
    const accountId = decodeId('account', id);
    const member = accountId && (await this.members.principalOf(session.user.id, accountId));
    if (!member) throw notFound('account');
    return member;
  }
}
