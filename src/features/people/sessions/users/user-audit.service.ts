import { Injectable } from '@nestjs/common';
import { Clock } from '../../../../platform/basics/clock/clock.js';
import { Database } from '../../../../platform/database/database.js';
import { MembershipsRepository } from '../../../auth/accounts/memberships.repository.js';
import type { AuditAction } from '../../../audit/audit-actions.js';
import { insertAuditEntry } from '../../../audit/audit.repository.js';
import type { Client } from '../client.js';

/** A change that users make to themselves. Ids are UUIDs. */
interface UserChange {
  action: Extract<AuditAction, `user.${string}`>;
  userId: string;
  client: Client;
  details?: Record<string, unknown>;
}

/** Records changes that users make to themselves in the audit logs of all their accounts. */
@Injectable()
export class UserAuditService {
  constructor(
    private readonly database: Database,
    private readonly members: MembershipsRepository,
    private readonly clock: Clock,
  ) {}

  /** Runs `work` and writes its audit entries in one transaction. */
  async recorded<Result>(
    { action, userId, client, details }: UserChange,
    work: () => Promise<Result>,
  ): Promise<Result> {
    return this.database.transaction(async () => {
      const result = await work();
      const at = this.clock.now();
      for (const { principal } of await this.members.membershipsOf(userId)) {
        const entry = { action, resourceId: userId, at, context: { ...client, principal } };
        await insertAuditEntry(this.database, { ...entry, ...(details && { details }) });
      }
      return result;
    });
  }
}
