import { Injectable } from '@nestjs/common';
import { Clock } from '../clock/clock.js';
import { Database, type Statement } from '../database/database.js';

const IN_FORCE: Statement = {
  name: 'auth.keys-in-force',
  text: `SELECT id FROM api_keys
          WHERE id = ANY($1::uuid[]) AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)`,
};

/** Asks again for keys that were let in earlier: an answer that goes on for hours must end with its key. */
@Injectable()
export class KeysInForce {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Of keys that have been authenticated, by their UUIDs, the ones that are neither revoked nor expired now. */
  async among(keyIds: readonly string[]): Promise<Set<string>> {
    const rows = await this.database.run<{ id: string }>(IN_FORCE, [keyIds, this.clock.now()]);
    return new Set(rows.map(({ id }) => id));
  }
}
