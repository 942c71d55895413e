import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../database/database.js';
import { notFound } from '../errors/app-error.js';
import { uuidOf } from '../identifiers/identifiers.js';
import type { CreationSort } from '../pagination/creation-order.js';
import { readPage, type Page, type PageRequest } from '../pagination/read-page.js';
import type { AuditRow } from './audit-entry.js';
import { AUDIT_COLUMNS, AUDIT_JOINS, auditListing, type AuditFilters } from './audit-filters.js';

/** An entry as it is read. */
export type StoredEntry = Omit<AuditRow, 'account_id' | 'details'> & {
  /** JSON text. */
  details: string;
  /** Null for what no user did. */
  user_name: string | null;
};

const FIND: Statement = {
  name: 'audit.find',
  text: `SELECT ${AUDIT_COLUMNS} FROM audit_log AS item ${AUDIT_JOINS} WHERE item.id = $1 AND item.account_id = $2`,
};

/** Who did what in an account. Entries are written by the changes themselves and never changed. */
@Injectable()
export class AuditLog {
  constructor(private readonly database: Database) {}

  /** One page of the entries under all of the filters. Throws `bad_request` for a cursor of another list. */
  list(
    accountId: string,
    filters: AuditFilters,
    request: PageRequest<CreationSort>,
  ): Promise<Page<StoredEntry>> {
    return readPage(this.database, auditListing(filters), accountId, request);
  }

  /** One entry. Throws `not_found`, also for an id that is none. */
  async find(accountId: string, id: string): Promise<StoredEntry> {
    const [entry] = await this.database.run<StoredEntry>(FIND, [uuidOf('audit', id), accountId]);
    if (!entry) throw notFound('audit entry');
    return entry;
  }
}
