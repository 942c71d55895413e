import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { generateSecret, hashApiKey, isWellFormedSecret } from '../../auth/api-keys/api-key.js';
import { AuthorizationCodeEntity } from '../entities/authorization-code.entity.js';

const PREFIX = 'ds_ac_';

export type NewCode = Omit<
  AuthorizationCodeEntity,
  'hash' | 'account' | 'user' | 'usedAt' | 'keyId'
>;

/** Stored authorization codes. */
@Injectable()
export class AuthorizationCodesRepository {
  constructor(
    @InjectRepository(AuthorizationCodeEntity)
    private readonly codes: Repository<AuthorizationCodeEntity>,
  ) {}

  /** Stores a new code and returns it. It cannot be retrieved later. */
  async insert(code: NewCode): Promise<string> {
    const text = generateSecret(PREFIX);
    await this.codes.insert({ ...code, hash: hashApiKey(text), usedAt: null, keyId: null });
    return text;
  }

  /** Finds a code, even if it was used or has expired. */
  async find(text: string): Promise<AuthorizationCodeEntity | null> {
    if (!isWellFormedSecret(text, PREFIX)) return null;
    return this.codes.findOneBy({ hash: hashApiKey(text) });
  }

  /** Locks a code in the caller's transaction, and reads it again. */
  lock({ hash }: AuthorizationCodeEntity): Promise<AuthorizationCodeEntity | null> {
    return this.codes.findOne({ where: { hash }, lock: { mode: 'pessimistic_write' } });
  }

  async update(
    { hash }: AuthorizationCodeEntity,
    fields: Partial<Pick<AuthorizationCodeEntity, 'usedAt' | 'keyId'>>,
  ): Promise<void> {
    await this.codes.update({ hash }, fields);
  }
}
