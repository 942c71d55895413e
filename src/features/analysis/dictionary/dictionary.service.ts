import { Injectable } from '@nestjs/common';
import { insertAuditEntry } from '../../audit/audit.repository.js';
import type { RequestContext } from '../../auth/request-context.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Database } from '../../../platform/database/database.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { AccountRulesRepository } from '../settings/account-rules.repository.js';

/** Every analysis loads all words. */
export const MAX_WORDS = 10_000;

/** Words and terms that are correct in all texts of an account. */
@Injectable()
export class DictionaryService {
  constructor(
    private readonly database: Database,
    private readonly dictionary: AccountRulesRepository,
    private readonly clock: Clock,
  ) {}

  /** Returns all words in code point order. */
  list(accountId: string): Promise<string[]> {
    return this.dictionary.words(accountId);
  }

  /** Adds words and skips existing ones. Throws `conflict` if the dictionary would be too large. */
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
      if ((await this.dictionary.addWords(accountId, rows)) > MAX_WORDS) throw tooManyWords();
    });
  }

  /** Removes words and ignores unknown ones. */
  async remove(words: readonly string[], context: RequestContext): Promise<string[]> {
    const { accountId } = context.principal;
    const trimmed = words.map((word) => word.trim());
    return this.change(context, { removed: words.length }, () =>
      this.dictionary.removeWords(accountId, trimmed),
    );
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
}

/** Error for a dictionary that would be too large. */
export function tooManyWords(): AppError {
  return new AppError(
    'conflict',
    `A dictionary can have at most ${MAX_WORDS.toLocaleString('en')} words. Remove words you no longer need.`,
    { limit: MAX_WORDS },
  );
}
