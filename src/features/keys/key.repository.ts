import { ApiKeyEntity } from '../access/auth/entities/api-key.entity.js';
import { Database } from '../../platform/database/database.js';
import { notFound } from '../../platform/basics/errors/app-error.js';
import { uuidOf } from '../../platform/basics/identifiers/identifiers.js';
import { recordOf, type KeyRecord } from './key-record.js';

/** The keys of all accounts: for the operator's command line only, never for a request. */
export class KeyInventory {
  constructor(private readonly database: Database) {}

  /** Every key, oldest first, revoked and expired ones too. */
  async list(): Promise<KeyRecord[]> {
    const rows = await this.database
      .repository(ApiKeyEntity)
      .find({ relations: { user: true }, order: { createdAt: 'ASC', id: 'ASC' } });
    return rows.map(recordOf);
  }

  /** The key with this public id, whoever's it is. Throws `not_found`. */
  async find(id: string): Promise<KeyRecord> {
    const row = await this.database
      .repository(ApiKeyEntity)
      .findOne({ where: { id: uuidOf('key', id) }, relations: { user: true } });
    if (!row) throw notFound('key');
    return recordOf(row);
  }
}
