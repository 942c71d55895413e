import { Injectable } from '@nestjs/common';
import { insertAuditEntry } from '../../../audit/audit.repository.js';
import type { AuditAction } from '../../../audit/audit-actions.js';
import { MembershipRepository } from '../../../access/auth/accounts/memberships.repository.js';
import { Clock } from '../../../../platform/basics/clock/clock.js';
import { Database } from '../../../../platform/database/database.js';
import type { Client } from '../client.js';

/** What somebody does to himself. Ids are UUIDs. */
export interface UserChange {
  action: Extract<AuditAction, `user.${string}`>;
  userId: string;
  client: Client;
  details?: Record<string, unknown>;
}

/** What people do to themselves stands in the audit log of each account that they belong to. */
@Injectable()
export class UserAudit {
  constructor(
    private readonly database: Database,
    private readonly members: MembershipRepository,
    private readonly clock: Clock,
  ) {}

  /** Does `work` and writes the entries, in one transaction. */
  async recorded<Result>(change: UserChange, work: () => Promise<Result>): Promise<Result> {
    return this.database.transaction(async () => {
      const result = await work();
      await this.write(change);
      return result;
    });
  }

  private async write({ action, userId, client, details }: UserChange): Promise<void> {
    const at = this.clock.now();
    for (const { principal } of await this.members.membershipsOf(userId)) {
      const entry = { action, resourceId: userId, at, context: { ...client, principal } };
      await insertAuditEntry(this.database, { ...entry, ...(details && { details }) });
    }
  }
}
