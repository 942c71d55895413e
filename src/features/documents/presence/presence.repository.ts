import { Injectable } from '@nestjs/common';
import type { Role } from '../../auth/roles.js';
import { Database, type Statement } from '../../../platform/database/database.js';
import { keyIdOf, principalIdOf, type PresencePrincipal } from './presence-principal.js';
import type { PresenceState } from './presence.entity.js';

/** How long an entry of a client counts, in seconds. */
export const HOLD_S = 60;
/** How long an entry of a process counts without renewal: less than a minute, so that those of a killed process end in time. */
const PROCESS_HOLD_S = 50;
/** Maximum people and keys in a list. */
export const MAX_PRESENT = 100;

/** Marks entries that clients set. */
const OF_CLIENT = '00000000-0000-0000-0000-000000000000';

/** Renews an entry that is already there. */
const RENEW = `ON CONFLICT (account_id, document_id, principal_id, state, source) DO UPDATE
       SET expires_at = EXCLUDED.expires_at,
           since = CASE WHEN held.expires_at > now() THEN held.since ELSE EXCLUDED.since END`;

const HOLD: Statement = {
  name: 'presence.hold',
  text: `WITH document AS (
      SELECT id FROM documents WHERE id = $2 AND account_id = $1 AND deleted_at IS NULL
    ), written AS (
      INSERT INTO presence AS held
             (account_id, document_id, principal_id, state, source, user_id, key_id, since, expires_at)
      SELECT $1, id, $3, $4, '${OF_CLIENT}', $5, $6::uuid, now(), now() + interval '${String(HOLD_S)} seconds' FROM document
      ${RENEW}
    )
    SELECT id FROM document`,
};

const HOLD_FOR_STREAMS: Statement = {
  name: 'presence.hold-for-streams',
  text: `INSERT INTO presence AS held
         (account_id, document_id, principal_id, state, source, user_id, key_id, since, expires_at)
    SELECT given.account_id, document.id, principal_id, 'viewing', $1, user_id, key_id, now(),
           now() + interval '${String(PROCESS_HOLD_S)} seconds'
      FROM json_to_recordset($2::json)
           AS given (account_id uuid, document_id uuid, principal_id uuid, user_id uuid, key_id uuid)
      JOIN documents AS document ON document.id = given.document_id AND document.account_id = given.account_id
       AND document.deleted_at IS NULL
     ORDER BY 1, 2, 3
    ${RENEW}`,
};

const LEAVE: Statement = {
  name: 'presence.leave',
  text: `WITH document AS (
      SELECT id FROM documents WHERE id = $2 AND account_id = $1 AND deleted_at IS NULL
    ), removed AS (
      DELETE FROM presence
       WHERE account_id = $1 AND document_id = $2 AND principal_id = $3 AND source = '${OF_CLIENT}'
    )
    SELECT id FROM document`,
};

const LEAVE_STREAMS: Statement = {
  name: 'presence.leave-streams',
  text: `DELETE FROM presence AS held
          USING json_to_recordset($2::json) AS given (account_id uuid, document_id uuid, principal_id uuid)
          WHERE held.account_id = given.account_id AND held.document_id = given.document_id
            AND held.principal_id = given.principal_id AND state = 'viewing' AND source = $1`,
};

/**
 * One row for each person and key in each document, or one without a principal for a document with nobody. The roles are
 * null in accounts that never had a collection.
 */
const LIST: Statement = {
  name: 'presence.list',
  text: `SELECT place.index, document.id IS NOT NULL AS "isFound", document.collection_id AS "collectionId",
             account.epoch, found.*, author.name AS "userName", key.name AS "keyName", key.collections, member.role
      FROM json_to_recordset($1::json) AS place (index integer, account_id uuid, document_id uuid)
      LEFT JOIN documents AS document ON document.id = place.document_id AND document.account_id = place.account_id
       AND document.deleted_at IS NULL
      LEFT JOIN LATERAL (
        SELECT access_epoch AS epoch FROM accounts WHERE accounts.id = place.account_id LIMIT 1) AS account ON true
      LEFT JOIN LATERAL (
        SELECT user_id AS "userId", key_id AS "keyId", bool_or(state = 'editing') AS "isEditing", min(since) AS since,
               count(*) OVER () AS total
          FROM presence
         WHERE account_id = place.account_id AND document_id = document.id AND expires_at > now()
         GROUP BY principal_id, user_id, key_id
         ORDER BY 3 DESC, 4, principal_id LIMIT ${String(MAX_PRESENT)}) AS found ON true
      LEFT JOIN LATERAL (SELECT name FROM users WHERE users.id = found."userId" LIMIT 1) AS author ON true
      LEFT JOIN LATERAL (SELECT name, collections FROM api_keys WHERE api_keys.id = found."keyId" LIMIT 1) AS key ON true
      LEFT JOIN LATERAL (
        SELECT role FROM members WHERE account.epoch > 0 AND members.account_id = place.account_id
           AND members.user_id = found."userId" LIMIT 1) AS member ON true
     ORDER BY place.index, "isEditing" DESC, since, found."userId", found."keyId"`,
};

const REMOVE_EXPIRED: Statement = {
  name: 'presence.remove-expired',
  text: 'DELETE FROM presence WHERE expires_at <= now()',
};

/** A document of an account. UUIDs. */
export interface AccountDocument {
  accountId: string;
  documentId: string;
}

/** A document that somebody holds. */
export interface HeldDocument extends AccountDocument {
  principal: PresencePrincipal;
}

/** A person or key in a document. Ids are UUIDs. */
export interface Present {
  userId: string;
  /** Null if they have left the account, and in accounts that never had a collection. */
  role: Role | null;
  /** The collections that the key is limited to. */
  collections: readonly string[] | null;
  /** Null for a person. */
  keyId: string | null;
  name: string;
  state: PresenceState;
  since: Date;
}

/** The people and keys in a document. */
export interface DocumentPresence {
  /** Those who edit come first, then those who came first. At most {@link MAX_PRESENT}. */
  entries: Present[];
  total: number;
}

/** Who has said that they are in a document, and where it is. */
export interface FoundPresence extends DocumentPresence {
  /** UUID. */
  collectionId: string;
  /** The epoch of the rights in its account. `0`: there never was a collection. */
  epoch: string;
}

interface ListedRow {
  index: number;
  isFound: boolean;
  collectionId: string;
  epoch: string;
  role: Role | null;
  collections: string[] | null;
  userId: string | null;
  keyId: string | null;
  isEditing: boolean;
  since: Date;
  total: string | null;
  userName: string | null;
  keyName: string | null;
}

/** Stores who views and edits documents in PostgreSQL. Times are those of the database. */
@Injectable()
export class PresenceRepository {
  constructor(private readonly database: Database) {}

  /** Holds an entry of a client. Returns false if the account has no such document. */
  async hold(
    { accountId, documentId }: AccountDocument,
    principal: PresencePrincipal,
    state: PresenceState,
  ): Promise<boolean> {
    const values = [accountId, documentId, principalIdOf(principal), state];
    const rows = await this.database.run(HOLD, [...values, principal.user.id, keyIdOf(principal)]);
    return rows.length > 0;
  }

  /** Holds or renews the entries of a process. Skips documents that do not exist. */
  async holdForStreams(source: string, held: readonly HeldDocument[]): Promise<void> {
    await this.database.run(HOLD_FOR_STREAMS, [source, JSON.stringify(held.map(rowOf))]);
  }

  /** Removes the entries of a client. Returns false if the account has no such document. */
  async leave(
    { accountId, documentId }: AccountDocument,
    principal: PresencePrincipal,
  ): Promise<boolean> {
    const values = [accountId, documentId, principalIdOf(principal)];
    return (await this.database.run(LEAVE, values)).length > 0;
  }

  /** Removes entries of a process. */
  async leaveStreams(source: string, held: readonly HeldDocument[]): Promise<void> {
    await this.database.run(LEAVE_STREAMS, [source, JSON.stringify(held.map(rowOf))]);
  }

  /** Returns who is in each document, in the order of the documents; undefined for one that does not exist. */
  async list(documents: readonly AccountDocument[]): Promise<(FoundPresence | undefined)[]> {
    const places = documents.map(({ accountId, documentId }, index) => ({
      index,
      account_id: accountId,
      document_id: documentId,
    }));
    const rows = await this.database.run<ListedRow>(LIST, [JSON.stringify(places)]);
    const found = new Map<number, FoundPresence>();
    for (const row of rows) {
      if (!row.isFound) continue;
      const { collectionId, epoch } = row;
      const total = Number(row.total ?? 0);
      const presence = found.get(row.index) ?? { entries: [], total, collectionId, epoch };
      found.set(row.index, presence);
      if (row.userId !== null) presence.entries.push(presentOf(row, row.userId));
    }
    return documents.map((_, index) => found.get(index));
  }

  async removeExpired(): Promise<void> {
    await this.database.run(REMOVE_EXPIRED, []);
  }
}

function rowOf({ accountId, documentId, principal }: HeldDocument) {
  return {
    account_id: accountId,
    document_id: documentId,
    principal_id: principalIdOf(principal),
    user_id: principal.user.id,
    key_id: keyIdOf(principal),
  };
}

function presentOf(
  { keyId, userName, keyName, isEditing, since, role, collections }: ListedRow,
  userId: string,
): Present {
  const name = (keyId === null ? userName : keyName) ?? '';
  const state = isEditing ? 'editing' : 'viewing';
  return { userId, keyId, name, state, since, role, collections };
}
