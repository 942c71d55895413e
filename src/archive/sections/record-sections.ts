import type { Executor, Statement } from '../../database/database.js';
import { encodeId } from '../../identifiers/identifiers.js';
import type { RecordName } from '../archive-format.js';
import type { ArchiveSection } from './archive-section.js';

/** A section that is kept for the record and is small: all of its rows are read at once. */
class RecordSection<Row extends object> implements ArchiveSection {
  private readonly statement: Statement;

  /** `text` selects the rows of the account `$1`. */
  constructor(
    private readonly record: RecordName,
    text: string,
    private readonly present: (row: Row) => object,
  ) {
    this.statement = { name: `archive.${record}s`, text };
  }

  async count(executor: Executor, accountId: string) {
    return { [this.record]: (await this.rows(executor, accountId)).length };
  }

  async *lines(executor: Executor, accountId: string) {
    for (const row of await this.rows(executor, accountId)) {
      yield JSON.stringify({ record: this.record, ...this.present(row) });
    }
  }

  private rows(executor: Executor, accountId: string): Promise<Row[]> {
    return executor.run<Row>(this.statement, [accountId]);
  }
}

interface MemberRow {
  id: string;
  name: string;
  email: string;
  role: string;
  created_at: Date;
}

/** Who belongs to the account. */
export const memberSection = new RecordSection(
  'member',
  `SELECT users.id, users.name, users.email, members.role, members.created_at
           FROM members JOIN users ON users.id = members.user_id
          WHERE members.account_id = $1 ORDER BY members.created_at, users.id`,
  (row: MemberRow) => ({
    user: { id: encodeId('user', row.id), name: row.name, email: row.email },
    role: row.role,
    createdAt: row.created_at,
  }),
);

interface KeyRow {
  id: string;
  user_id: string;
  name: string;
  last_four: string;
  scopes: string[];
  allowed_ips: string[];
  expires_at: Date | null;
  revoked_at: Date | null;
  last_used_at: Date | null;
  created_at: Date;
}

/** The API keys, without anything that a key could be made from. */
export const keySection = new RecordSection(
  'key',
  `SELECT id, user_id, name, last_four, scopes, allowed_ips, expires_at, revoked_at, last_used_at, created_at
           FROM api_keys WHERE account_id = $1 ORDER BY created_at, id`,
  (row: KeyRow) => ({
    id: encodeId('key', row.id),
    name: row.name,
    lastFour: row.last_four,
    scopes: row.scopes,
    allowedIps: row.allowed_ips,
    userId: encodeId('user', row.user_id),
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    lastUsedAt: row.last_used_at,
    createdAt: row.created_at,
  }),
);

interface WebhookRow {
  id: string;
  url: string;
  events: string[];
  payload: string;
  description: string | null;
  status: string;
  disabled_reason: string | null;
  created_at: Date;
  updated_at: Date;
}

/** The webhooks, without their secrets: an import could not sign for them, and would send where nobody asked it to. */
export const webhookSection = new RecordSection(
  'webhook',
  `SELECT id, url, events, payload, description, status, disabled_reason, created_at, updated_at
           FROM webhooks WHERE account_id = $1 ORDER BY created_at, id`,
  (row: WebhookRow) => ({
    id: encodeId('webhook', row.id),
    url: row.url,
    events: row.events,
    payload: row.payload,
    description: row.description,
    status: row.status,
    disabledReason: row.disabled_reason,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }),
);
