import { Database, type Statement } from '../database/database.js';
import { notFound } from '../errors/app-error.js';
import { uuidOf } from '../identifiers/identifiers.js';
import { fromRow, KEY_COLUMNS, KEY_JOINS, type KeyRecord, type KeyRow } from './key-record.js';

const LIST: Statement = {
  name: 'keys.list-all',
  text: `SELECT ${KEY_COLUMNS} FROM api_keys AS item ${KEY_JOINS} ORDER BY item.created_at, item.id`,
};

const FIND: Statement = {
  name: 'keys.find-anywhere',
  text: `SELECT ${KEY_COLUMNS} FROM api_keys AS item ${KEY_JOINS} WHERE item.id = $1`,
};

/** The keys of all accounts: for the operator's command line only, never for a request. */
export class KeyInventory {
  constructor(private readonly database: Database) {}

  /** Every key, oldest first, revoked and expired ones too. */
  async list(): Promise<KeyRecord[]> {
    return (await this.database.run<KeyRow>(LIST, [])).map(fromRow);
  }

  /** The key with this public id, whoever's it is. Throws `not_found`. */
  async find(id: string): Promise<KeyRecord> {
    const [row] = await this.database.run<KeyRow>(FIND, [uuidOf('key', id)]);
    if (!row) throw notFound('key');
    return fromRow(row);
  }
}
