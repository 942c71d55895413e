import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database, type Statement } from '../../../../platform/database/database.js';
import { UserSecondFactorEntity } from '../entities/user-credentials.entities.js';

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

/** Secrets of authenticator apps, and recovery codes. Ids are UUIDs. */
@Injectable()
export class SecondFactorsRepository {
  constructor(
    private readonly database: Database,
    @InjectRepository(UserSecondFactorEntity)
    private readonly factors: Repository<UserSecondFactorEntity>,
  ) {}

  find(userId: string): Promise<UserSecondFactorEntity | null> {
    return this.factors.findOneBy({ userId });
  }

  /** Replaces the user's second factor with an unconfirmed one. */
  async replace(userId: string, secretEncrypted: Buffer, createdAt: Date): Promise<void> {
    const unused = { confirmedAt: null, lastUsedStep: null, recoveryHashes: [] };
    await this.factors.upsert({ userId, secretEncrypted, ...unused, createdAt }, ['userId']);
  }

  async update(
    userId: string,
    fields: Partial<Pick<UserSecondFactorEntity, 'confirmedAt' | 'recoveryHashes'>>,
  ): Promise<void> {
    await this.factors.update({ userId }, fields);
  }

  async delete(userId: string): Promise<void> {
    await this.factors.delete({ userId });
  }

  /** Marks the code of a time step as used. Returns false if it or a later one was used before. */
  async takeStep(userId: string, step: number): Promise<boolean> {
    return (await this.database.run(TAKE_STEP, [userId, step])).length > 0;
  }

  /** Removes a recovery code. Returns false if the user does not have it. */
  async takeRecoveryHash(userId: string, hash: Buffer): Promise<boolean> {
    return (await this.database.run(TAKE_RECOVERY_CODE, [userId, hash])).length > 0;
  }
}
