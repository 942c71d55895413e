import type { Database, Statement } from '../../../../platform/database/database.js';
import { UserSecondFactorEntity } from '../entities/user-credentials.entity.js';

/** Accepts a code only once, even if several attempts race. */
const TAKE_STEP: Statement = {
  name: 'sessions.take-step',
  text: `UPDATE user_second_factors SET last_used_step = $2
          WHERE user_id = $1 AND coalesce(last_used_step, 0) < $2 RETURNING true AS taken`,
};

const TAKE_RECOVERY_CODE: Statement = {
  name: 'sessions.take-recovery-code',
  text: `UPDATE user_second_factors SET recovery_hashes = array_remove(recovery_hashes, $2)
          WHERE user_id = $1 AND $2 = ANY (recovery_hashes) RETURNING true AS taken`,
};

export function findSecondFactor(
  database: Database,
  userId: string,
): Promise<UserSecondFactorEntity | null> {
  return database.repository(UserSecondFactorEntity).findOneBy({ userId });
}

/** Replaces the user's second factor with an unconfirmed one. */
export async function replaceSecondFactor(
  database: Database,
  userId: string,
  secretEncrypted: Buffer,
  createdAt: Date,
): Promise<void> {
  const unused = { confirmedAt: null, lastUsedStep: null, recoveryHashes: [] };
  const row = { userId, secretEncrypted, ...unused, createdAt };
  await database.repository(UserSecondFactorEntity).upsert(row, ['userId']);
}

export async function updateSecondFactor(
  database: Database,
  userId: string,
  fields: Partial<Pick<UserSecondFactorEntity, 'confirmedAt' | 'recoveryHashes'>>,
): Promise<void> {
  await database.repository(UserSecondFactorEntity).update({ userId }, fields);
}

export async function deleteSecondFactor(database: Database, userId: string): Promise<void> {
  await database.repository(UserSecondFactorEntity).delete({ userId });
}

/** Marks the code of a time step as used. Returns false if it or a later one was used before. */
export async function takeStep(database: Database, userId: string, step: number): Promise<boolean> {
  return (await database.run(TAKE_STEP, [userId, step])).length > 0;
}

/** Removes a recovery code. Returns false if the user does not have it. */
export async function takeRecoveryHash(
  database: Database,
  userId: string,
  hash: Buffer,
): Promise<boolean> {
  return (await database.run(TAKE_RECOVERY_CODE, [userId, hash])).length > 0;
}
