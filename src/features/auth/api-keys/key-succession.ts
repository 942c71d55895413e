import type { Database, Statement } from '../../../platform/database/database.js';

const SUCCEEDS: Statement = {
  name: 'auth.key-succeeds',
  text: `WITH RECURSIVE successors AS (
      SELECT replaced_by AS id FROM api_keys WHERE account_id = $1 AND id = $2
       UNION SELECT replaced_by FROM api_keys JOIN successors USING (id) WHERE account_id = $1
    ) SELECT FROM successors WHERE id = $3`,
};

/** True if a key replaced an earlier one by rotations, one or several. Ids are UUIDs. */
export async function isSuccessorOf(
  database: Database,
  { accountId, keyId }: { accountId: string; keyId: string },
  earlierKeyId: string,
): Promise<boolean> {
  const found = await database.run(SUCCEEDS, [accountId, earlierKeyId, keyId]);
  return found.length > 0;
}
