import type { Database, Statement } from '../database/database.js';
import { auditRow, insertAuditEntries, type AuditInput } from './audit-entry.js';

const WRITE: Statement = { name: 'audit.write', text: insertAuditEntries('$1') };

/** Writes the entry of a change; call it within the transaction of the change. */
export async function writeAuditEntry(database: Database, input: AuditInput): Promise<void> {
  await database.run(WRITE, [JSON.stringify([auditRow(input)])]);
}
