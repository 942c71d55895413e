import type { Statement } from '../../database/database.js';
import { encodeId, ID_PREFIXES, type IdKind } from '../../identifiers/identifiers.js';
import type { ArchiveSection } from './archive-section.js';

const BATCH = 1_000;

const COUNT: Statement = {
  name: 'archive.count-audit-entries',
  text: 'SELECT count(*)::double precision AS n FROM audit_log WHERE account_id = $1',
};

const READ: Statement = {
  name: 'archive.audit-entries',
  text: `SELECT id, action, resource_id, user_id, key_id, request_id, client_address, user_agent, details, created_at
           FROM audit_log
          WHERE account_id = $1 AND (created_at, id) > ($2::timestamptz, $3::uuid)
          ORDER BY created_at, id LIMIT ${String(BATCH)}`,
};

interface Row {
  id: string;
  action: string;
  resource_id: string | null;
  user_id: string | null;
  key_id: string | null;
  request_id: string | null;
  client_address: string | null;
  user_agent: string | null;
  /** JSON text. */
  details: string;
  created_at: Date;
}

/** Who did what, for the record: an audit log that could be imported would prove nothing. */
export const auditSection: ArchiveSection = {
  async count(executor, accountId) {
    const [row] = await executor.run<{ n: number }>(COUNT, [accountId]);
    return { auditEntry: row?.n ?? 0 };
  },

  async *lines(executor, accountId) {
    let after = ['-infinity', '00000000-0000-0000-0000-000000000000'];
    for (;;) {
      const rows = await executor.run<Row>(READ, [accountId, ...after]);
      for (const row of rows) yield JSON.stringify(present(row));
      const last = rows.at(-1);
      if (!last || rows.length < BATCH) return;
      after = [last.created_at.toISOString(), last.id];
    }
  },
};

function present(row: Row): object {
  const kind = row.action.split('.')[0] ?? '';
  return {
    record: 'auditEntry',
    id: encodeId('audit', row.id),
    action: row.action,
    resourceId: kind in ID_PREFIXES ? idOrNull(kind as IdKind, row.resource_id) : row.resource_id,
    userId: idOrNull('user', row.user_id),
    keyId: idOrNull('key', row.key_id),
    requestId: row.request_id,
    clientAddress: row.client_address,
    userAgent: row.user_agent,
    details: JSON.parse(row.details) as unknown,
    createdAt: row.created_at,
  };
}

function idOrNull(kind: IdKind, uuid: string | null): string | null {
  return uuid === null ? null : encodeId(kind, uuid);
}
