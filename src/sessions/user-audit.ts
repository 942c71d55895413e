import { Injectable } from '@nestjs/common';
import { insertAuditEntry, type AuditAction } from '../audit/audit-entry.js';
import { MembersService } from '../auth/accounts/members.service.js';
import { Clock } from '../clock/clock.js';
import { Database } from '../database/database.js';
import type { Client } from './client.js';

/** What people do to themselves stands in the audit log of each account that they belong to. */
@Injectable()
export class UserAudit {
  constructor(
    private readonly database: Database,
    private readonly members: MembersService,
    private readonly clock: Clock,
  ) {}

  /** Writes the entries; call it in the transaction of the change. The id is a UUID. */
  async record(
    action: Extract<AuditAction, `user.${string}`>,
    userId: string,
    client: Client,
    details: Record<string, unknown> = {},
  ): Promise<void> {
    const at = this.clock.now();
    for (const { principal } of await this.members.membershipsOf(userId)) {
      const context = { ...client, principal };
      await insertAuditEntry(this.database, { action, resourceId: userId, at, context, details });
    }
  }
}
