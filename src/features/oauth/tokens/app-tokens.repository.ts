import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../../platform/database/database.js';
import type { ConnectedApp, ConnectedAppsSetting } from '../../auth/connected-app.js';
import type { Role } from '../../auth/roles.js';
import type { Scope } from '../../auth/scopes.js';
import type { TokenKind } from '../../auth/tokens/access-token.js';

const COLUMNS = `token.hash, token.kind, token.rotated_at AS "rotatedAt", token.expires_at AS "expiresAt",
                key.id AS "keyId", key.account_id AS "accountId", key.user_id AS "userId", key.scopes, key.client,
                coalesce(key.expires_at, now() + interval '365 days') AS "keyExpiresAt", key.revoked_at AS "revokedAt",
                coalesce(key.last_used_at, key.created_at) AS "usedAt",
                account.connected_apps AS "connectedApps", account.suspended_at IS NOT NULL AS "isSuspended",
                person.name AS "userName", person.email AS "userEmail", member.role`;

const JOINS = `JOIN api_keys AS key ON key.id = token.key_id
           JOIN accounts AS account ON account.id = key.account_id
           JOIN users AS person ON person.id = key.user_id
           LEFT JOIN members AS member ON member.account_id = key.account_id AND member.user_id = key.user_id`;

/** Locks the key first, as the deletion of an account does. Refreshes of one key do not wait for each other. */
const HOLD: Statement = {
  name: 'oauth.hold-token',
  text: `SELECT ${COLUMNS},
                (SELECT count(*)::integer FROM access_tokens AS recent
                  WHERE recent.key_id = key.id AND recent.kind = 'refresh' AND recent.created_at > $2) AS recent
           FROM access_tokens AS token ${JOINS}
          WHERE token.hash = $1 AND key.client IS NOT NULL
            FOR KEY SHARE OF key`,
};

const ROTATE: Statement = {
  name: 'oauth.rotate-token',
  text: `UPDATE access_tokens SET rotated_at = coalesce(rotated_at, $2), expires_at = least(expires_at, $3)
          WHERE hash = $1`,
};

const REMOVE: Statement = {
  name: 'oauth.remove-token',
  text: 'DELETE FROM access_tokens WHERE hash = $1',
};

/** A token of a connected app, with its key and the person it acts for. Ids are UUIDs. */
export interface AppToken {
  hash: Buffer;
  kind: TokenKind;
  rotatedAt: Date | null;
  expiresAt: Date;
  keyId: string;
  accountId: string;
  userId: string;
  userName: string;
  userEmail: string;
  scopes: Scope[];
  client: ConnectedApp;
  /** In a year, if somebody has removed the expiry of the key. */
  keyExpiresAt: Date;
  revokedAt: Date | null;
  /** When the key was last used, or created. */
  usedAt: Date;
  connectedApps: ConnectedAppsSetting;
  isSuspended: boolean;
  /** The person's current role; `null` once they have left the account. */
  role: Role | null;
  /** Refresh tokens that the key got recently. */
  recent: number;
}

/** Tokens of connected apps, for their exchange and their end. */
@Injectable()
export class AppTokensRepository {
  constructor(private readonly database: Database) {}

  /** Finds a token by hash and keeps its key from being deleted until the caller's transaction ends. */
  async hold(hash: Buffer, recentSince: Date): Promise<AppToken | undefined> {
    const [token] = await this.database.run<AppToken>(HOLD, [hash, recentSince]);
    return token;
  }

  /** Records that a refresh token was replaced, unless it was before. It is stored until `removeAt`, to detect its use. */
  async rotate({ hash }: AppToken, at: Date, removeAt: Date): Promise<void> {
    await this.database.run(ROTATE, [hash, at, removeAt]);
  }

  async remove({ hash }: AppToken): Promise<void> {
    await this.database.run(REMOVE, [hash]);
  }
}
