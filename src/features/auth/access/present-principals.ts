import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Database, type Statement } from '../../../platform/database/database.js';
import { MembershipsRepository } from '../accounts/memberships.repository.js';
import { reasonToRefuse } from '../api-keys/api-key-authenticator.js';
import {
  KEY_COLUMNS,
  KEY_JOINS,
  toKnownKey,
  type KeyRow,
} from '../api-keys/api-keys.repository.js';
import type { Principal } from '../principal.js';
import type { RequestContext } from '../request-context.js';

const FIND: Statement = {
  name: 'access.present-key',
  text: `SELECT '' AS hash, ${KEY_COLUMNS} FROM api_keys AS key ${KEY_JOINS} WHERE key.id = $1 AND key.account_id = $2`,
};

/** Finds what the caller of an earlier request may do now. */
@Injectable()
export class PresentPrincipals {
  constructor(
    private readonly database: Database,
    private readonly members: MembershipsRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the principal of a stored context with the present role, scopes and limits; undefined if the key has been revoked
   * or has expired, or if the person has left the account.
   */
  async of({
    principal,
    clientAddress,
  }: Pick<RequestContext, 'principal' | 'clientAddress'>): Promise<Principal | undefined> {
    const { accountId, user } = principal;
    if (principal.kind === 'system') return principal;
    if (principal.kind === 'person') return this.members.principalOf(user.id, accountId);
    const [row] = await this.database.run<KeyRow>(FIND, [principal.keyId, accountId]);
    const known = row && toKnownKey(row);
    if (!known || known.isSuspended || reasonToRefuse(known, clientAddress, this.clock.now()))
      return undefined;
    return { ...known.principal, token: principal.token };
  }
}
