import { Injectable } from '@nestjs/common';
import { In } from 'typeorm';
import { insertAuditEntry } from '../../audit/audit-entry.js';
import type { RequestContext } from '../../access/auth/request-context.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Database } from '../../../platform/database/database.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { DictionaryWordEntity } from '../entities/account-rules.entity.js';

/** Each analysis looks at all of them. */
export const MAX_WORDS = 10_000;

/** Words and terms that are right in all texts of an account. */
@Injectable()
export class DictionaryService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** All of them, in the order of their characters. */
  async list(accountId: string): Promise<string[]> {
    const rows = await this.words.find({ where: { accountId }, order: { word: 'ASC' } });
    return rows.map(({ word }) => word);
  }

  /** Adds words; those that are there stay. Throws `conflict` when that would be too many. */
  async add(words: readonly string[], context: RequestContext): Promise<string[]> {
    const { accountId, user } = context.principal;
    const createdAt = this.clock.now();
    const rows = [...new Set(words.map((word) => word.trim()))].map((word) => ({
      accountId,
      word,
      createdBy: user.id,
      createdAt,
    }));
    return this.change(context, { added: rows.length }, async () => {
      await this.words.createQueryBuilder().insert().values(rows).orIgnore().execute();
      if ((await this.words.countBy({ accountId })) > MAX_WORDS) throw tooManyWords();
    });
  }

  /** Takes words out; those that are not there are none. */
  async remove(words: readonly string[], context: RequestContext): Promise<string[]> {
    const { accountId } = context.principal;
    return this.change(context, { removed: words.length }, async () => {
      await this.words.delete({ accountId, word: In(words.map((word) => word.trim())) });
    });
  }

  private async change(
    context: RequestContext,
    dictionary: Record<string, number>,
    work: () => Promise<void>,
  ): Promise<string[]> {
    const { accountId } = context.principal;
    return this.database.transaction(
      async () => {
        await work();
        await insertAuditEntry(this.database, {
          action: 'account.update',
          resourceId: accountId,
          at: this.clock.now(),
          context,
          details: { dictionary },
        });
        return this.list(accountId);
      },
      context.caller,
      accountId,
    );
  }

  private get words() {
    return this.database.repository(DictionaryWordEntity);
  }
}

/** The answer to one word too many. */
export function tooManyWords(): AppError {
  return new AppError(
    'conflict',
    `The dictionary of an account has at most ${MAX_WORDS.toLocaleString('en')} words. Remove some that are not needed any more.`,
    { limit: MAX_WORDS },
  );
}
