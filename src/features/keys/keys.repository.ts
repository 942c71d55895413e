import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Not, Repository } from 'typeorm';
import { notFound } from '../../platform/basics/errors/app-error.js';
import { uuidOf } from '../../platform/basics/identifiers/identifiers.js';
import { Database } from '../../platform/database/database.js';
import { selectedColumns } from '../../platform/database/columns.js';
import { BY_CREATION, type CreationSort } from '../../platform/http/pagination/page-query.dto.js';
import {
  readPage,
  type Listing,
  type Page,
  type PageRequest,
} from '../../platform/http/pagination/read-page.js';
import { ApiKeyEntity } from '../auth/entities/api-key.entity.js';
import type { Person } from '../auth/person.js';
import type { KeyStatus } from './dto/list-keys.dto.js';

/** A stored API key with the user who created it. The key itself is not stored, only its hash. */
export type KeyRecord = Omit<
  ApiKeyEntity,
  'account' | 'user' | 'userId' | 'keyHash' | 'replacedBy'
> & {
  createdBy: Person;
};

const KEY_LISTING: Listing<CreationSort> = {
  name: 'keys',
  table: 'api_keys',
  where: 'item.account_id = $1',
  // Counted exactly, because an account has only tens of keys: people create and replace them by hand.
  total: 'SELECT count(*) AS n FROM api_keys WHERE account_id = $1',
  columns: `${selectedColumns(ApiKeyEntity, 'item')},
    jsonb_build_object('id', creator.id, 'name', creator.name, 'email', creator.email) AS "createdBy"`,
  joins:
    'CROSS JOIN LATERAL (SELECT * FROM users WHERE users.id = item.user_id LIMIT 1) AS creator',
  sorts: BY_CREATION,
};

/** The status is a value, not a part of the text, so that a cursor continues only the list of its status. */
const WHERE_STATUS = `item.account_id = $1
    AND (item.revoked_at IS NULL AND (item.expires_at IS NULL OR item.expires_at > now())) = ($2::text = 'active')`;

const KEY_LISTING_BY_STATUS: Listing<CreationSort> = {
  ...KEY_LISTING,
  name: 'keys-by-status',
  where: WHERE_STATUS,
  total: `SELECT count(*) AS n FROM api_keys AS item WHERE ${WHERE_STATUS}`,
};

/** Stored API keys. */
@Injectable()
export class KeysRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(ApiKeyEntity) private readonly keys: Repository<ApiKeyEntity>,
  ) {}

  /** Reads one page of the account's keys: all of them, or those with a status. */
  list(
    accountId: string,
    { status, ...request }: PageRequest<CreationSort> & { status?: KeyStatus },
  ): Promise<Page<KeyRecord>> {
    const listing =
      status === undefined ? KEY_LISTING : { ...KEY_LISTING_BY_STATUS, values: [status] };
    return readPage(this.database, listing, accountId, request);
  }

  /** Lists every key of all accounts, oldest first. Only for the operator's command line. */
  async listForOperator(): Promise<KeyRecord[]> {
    const order = { createdAt: 'ASC', id: 'ASC' } as const;
    return (await this.keys.find({ relations: { user: true }, order })).map(recordOf);
  }

  /**
   * Finds a key by its public ID, even if revoked. Throws `not_found`, even for a malformed ID. Without an account, only
   * for the operator's command line.
   */
  async find(publicId: string, accountId?: string): Promise<KeyRecord> {
    const where = { id: uuidOf('key', publicId), ...(accountId !== undefined && { accountId }) };
    const row = await this.keys.findOne({ where, relations: { user: true } });
    if (!row) throw notFound('key');
    return recordOf(row);
  }

  /** Locks a key of the account, given by its public id, in the caller's transaction. Throws `not_found`. */
  async lock(publicId: string, accountId: string): Promise<ApiKeyEntity> {
    const key = await this.keys.findOne({
      where: { id: uuidOf('key', publicId), accountId },
      lock: { mode: 'pessimistic_write' },
    });
    if (!key) throw notFound('key');
    return key;
  }

  /**
   * Locks the unrevoked keys that a user created in the account, in the caller's transaction. Locks them in ID order, as
   * deleting the account does.
   */
  lockUnrevokedOf(accountId: string, userId: string): Promise<ApiKeyEntity[]> {
    return this.keys.find({
      where: { accountId, userId, revokedAt: IsNull() },
      order: { id: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
  }

  /** Lists the unrevoked keys of the apps that a user has connected, newest first. */
  async listAppsOf(accountId: string, userId: string): Promise<KeyRecord[]> {
    const rows = await this.keys.find({
      where: { accountId, userId, client: Not(IsNull()), revokedAt: IsNull() },
      relations: { user: true },
      order: { createdAt: 'DESC', id: 'DESC' },
    });
    return rows.map(recordOf);
  }

  async insert(
    key: Omit<ApiKeyEntity, 'account' | 'user' | 'revokedAt' | 'replacedBy' | 'lastUsedAt'>,
  ): Promise<void> {
    await this.keys.insert(key);
  }

  async update(
    id: string,
    fields: Partial<Omit<ApiKeyEntity, 'id' | 'account' | 'user'>>,
  ): Promise<void> {
    await this.keys.update({ id }, fields);
  }
}

function recordOf({ user, ...key }: ApiKeyEntity): KeyRecord {
  return { ...key, createdBy: { id: user.id, name: user.name, email: user.email } };
}
