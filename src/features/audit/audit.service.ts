import { Injectable } from '@nestjs/common';
import { UserEntity } from '../access/auth/entities/user.entity.js';
import { Database } from '../../platform/database/database.js';
import { notFound } from '../../platform/basics/errors/app-error.js';
import { uuidOf } from '../../platform/basics/identifiers/identifiers.js';
import type { CreationSort } from '../../platform/http/pagination/page-query.dto.js';
import { readPage, type Page, type PageRequest } from '../../platform/http/pagination/read-page.js';
import type { AuditRow } from './audit-entry.js';
import { auditListing, type AuditFilters } from './audit-filters.js';
import { AuditEntryEntity } from './entities/audit-entry.entity.js';

/** An entry as it is read. */
export type AuditEntry = AuditRow & {
  /** As the user is called now; null for what no user did. */
  userName: string | null;
};

/** Prepared statements give JSON as text. */
type AuditListRow = Omit<AuditEntry, 'details'> & { details: string };

/** Who did what in an account. Entries are written by the changes themselves and never changed. */
@Injectable()
export class AuditService {
  constructor(private readonly database: Database) {}

  /** One page of the entries under all of the filters. Throws `bad_request` for a cursor of another list. */
  async list(
    accountId: string,
    filters: AuditFilters,
    request: PageRequest<CreationSort>,
  ): Promise<Page<AuditEntry>> {
    const { rows, pagination } = await readPage<AuditListRow, CreationSort>(
      this.database,
      auditListing(filters),
      accountId,
      request,
    );
    return { rows: rows.map(withParsedDetails), pagination };
  }

  /** One entry. Throws `not_found`, also for an id that is none. */
  async find(accountId: string, id: string): Promise<AuditEntry> {
    const entry = await this.database
      .repository(AuditEntryEntity)
      .findOneBy({ id: uuidOf('audit', id), accountId });
    if (!entry) throw notFound('audit entry');
    return Object.assign(entry, { userName: await this.nameOf(entry.userId) });
  }

  private async nameOf(userId: string | null): Promise<string | null> {
    if (userId === null) return null;
    const user = await this.database.repository(UserEntity).findOneBy({ id: userId });
    return user?.name ?? null;
  }
}

function withParsedDetails(row: AuditListRow): AuditEntry {
  return { ...row, details: JSON.parse(row.details) as object };
}
