import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { newUuid } from '../../../platform/basics/identifiers/identifiers.js';
import { Coalescer } from '../../../platform/database/concurrency/coalescer.js';
import { Database, type Statement } from '../../../platform/database/database.js';
import {
  KEY_COLUMNS,
  KEY_JOINS,
  toKnownKey,
  type KeyRow,
  type KnownKey,
} from '../api-keys/api-keys.repository.js';
import { AccessTokenEntity } from '../entities/access-token.entity.js';
import { mayConnectApps, type ConnectedAppsSetting } from '../connected-app.js';
import type { DocumentSelection, TokenIdentity, TokenLimits } from '../principal.js';
import { commonScopes, type Scope } from '../scopes.js';
import { issueAccessToken } from './access-token.js';

const FIND: Statement = {
  name: 'auth.find-tokens',
  text: `SELECT encode(token.hash, 'hex') AS hash, ${KEY_COLUMNS},
                account.connected_apps AS "connectedApps", token.id AS "tokenId", token.kind,
                token.scopes AS "tokenScopes", token.documents, token.minute_limit AS "tokenMinuteLimit", token.label,
                token.expires_at AS "tokenExpiresAt"
           FROM access_tokens AS token
           JOIN api_keys AS key ON key.id = token.key_id
           ${KEY_JOINS}
          WHERE token.hash = ANY (ARRAY(SELECT unnest($1::bytea[]))) AND token.kind <> 'refresh'`,
};

interface TokenRow extends KeyRow {
  connectedApps: ConnectedAppsSetting;
  tokenId: string;
  kind: TokenIdentity['kind'];
  tokenScopes: Scope[];
  documents: TokenLimits | null;
  tokenMinuteLimit: number | null;
  label: string | null;
  tokenExpiresAt: Date;
}

/** A token with its key. */
export interface KnownToken {
  /** Its principal has only the scopes that the token, the key and the creator's current role have. */
  key: KnownKey;
  kind: TokenIdentity['kind'];
  expiresAt: Date;
  /** False if the account no longer lets the key's creator use connected apps. */
  isAppAllowed: boolean;
}

/** The properties of a token to create. */
export type NewToken = Omit<AccessTokenEntity, 'hash' | 'id' | 'key' | 'rotatedAt'>;

/** Stores tokens, and finds access and browser tokens by hash. Like keys, they are not cached. */
@Injectable()
export class AccessTokensRepository {
  private readonly lookUps: Coalescer<Buffer, KnownToken | undefined>;

  constructor(
    private readonly database: Database,
    @InjectRepository(AccessTokenEntity) private readonly tokens: Repository<AccessTokenEntity>,
  ) {
    this.lookUps = new Coalescer((hashes) => this.findAll(hashes), {
      maxBatch: 256,
      maxInFlight: 4,
    });
  }

  /** Finds the token with this SHA-256 hash, even if it or its key has ended. */
  find(hash: Buffer): Promise<KnownToken | undefined> {
    return this.lookUps.submit(hash);
  }

  /** Creates a token. Returns its text, which cannot be retrieved later. */
  async create(token: NewToken): Promise<string> {
    const { token: text, hash } = issueAccessToken(token.kind);
    await this.tokens.insert({ ...token, hash, id: newUuid(), rotatedAt: null });
    return text;
  }

  private async findAll(hashes: Buffer[]): Promise<{ result: KnownToken | undefined }[]> {
    const requested = hashes.map((hash) => hash.toString('hex'));
    const distinct = [...new Set(requested)].map((hash) => `\\x${hash}`);
    const rows = await this.database.lookUp<TokenRow>(FIND, [distinct]);
    const known = new Map(rows.map((row) => [row.hash, toKnownToken(row)]));
    return requested.map((hash) => ({ result: known.get(hash) }));
  }
}

function toKnownToken(row: TokenRow): KnownToken {
  const { kind, label, tokenId: id, tokenMinuteLimit: minuteLimit } = row;
  const key = toKnownKey(row);
  const { principal } = key;
  const scopes = commonScopes(principal.scopes, row.tokenScopes);
  const { collections = null } = row.documents ?? {};
  const token = {
    id,
    kind,
    minuteLimit,
    label,
    documents: selectionIn(row.documents),
    collections,
  };
  return {
    key: { ...key, principal: { ...principal, scopes, token } },
    kind,
    expiresAt: row.tokenExpiresAt,
    isAppAllowed: row.creator_role !== null && mayConnectApps(row.connectedApps, row.creator_role),
  };
}

function selectionIn(limits: TokenLimits | null): DocumentSelection | null {
  const { ids, tags } = limits ?? {};
  if (ids) return { ids };
  return tags ? { tags } : null;
}
