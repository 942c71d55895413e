import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { AppError, invalidFields } from '../../../platform/basics/errors/app-error.js';
import { NICENESS } from '../../../platform/threads/task-length.js';
import { ThreadPool, ThreadPoolError } from '../../../platform/threads/thread-pool.js';
import { threadModule } from '../../../platform/threads/thread-task.js';
import type { StyleRule } from '@document-service/text-analysis/analysis';
import { searchCost } from '@document-service/text-analysis/search-cost';
import type { ImportedRules, StyleRulesTask } from './style-rules-thread.js';
import type { ValeFile } from './vale-import.js';

const TASK_LIMIT_MS = 10_000;
/** Limit of `searchCost` times the length of a text that rules are tried on. Searching it takes a second or two. */
const MAX_TEST_COST = 100_000_000;

/** Compiles and tests style rules in threads, because even a short pattern can take a lot of time and memory. */
@Injectable()
export class StyleRuleCompiler implements OnApplicationShutdown {
  private readonly pool = new ThreadPool({
    ...threadModule(import.meta.url, 'style-rules-thread'),
    threads: 2,
    niceness: NICENESS.short,
    maxWaiting: 64,
    maxOfOwner: 8,
    timeLimitMs: TASK_LIMIT_MS,
    waitLimitMs: 20_000,
    idleMs: 30_000,
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
  });

  /**
   * Checks the JSON text of rules. Throws `bad_request` for invalid patterns, `unprocessable` for rules that are too large,
   * and `unavailable` if busy.
   */
  async check(accountId: string, rules: string): Promise<void> {
    await this.run(accountId, { kind: 'check', rules });
  }

  /**
   * Returns what the rules report in a Markdown text, as JSON text of `StyleRuleFindings`. Throws the errors of
   * {@link check}, and `unprocessable` if the search would take too long.
   */
  async findIn(accountId: string, rules: readonly StyleRule[], content: string): Promise<string> {
    if (searchCost(rules) * content.length > MAX_TEST_COST) throw tooLongToTry();
    const task = { kind: 'test', rules: JSON.stringify(rules), content } as const;
    return (await this.run(accountId, task)) as string;
  }

  /** Converts a Vale style. Throws the errors of {@link check}, and `bad_request` for no or too many rules. */
  async import(accountId: string, files: readonly ValeFile[]): Promise<ImportedRules> {
    const imported = (await this.run(accountId, { kind: 'import', files })) as ImportedRules;
    if (imported.count === 0) throw nothingToImport(imported.firstReason);
    return imported;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.close();
  }

  private async run(accountId: string, task: StyleRulesTask): Promise<unknown> {
    try {
      return await this.pool.run(accountId, task);
    } catch (error) {
      throw error instanceof ThreadPoolError ? explained(error) : error;
    }
  }
}

function explained(error: ThreadPoolError): Error {
  switch (error.failure) {
    case 'timed out':
      return tooDemanding('time');
    case 'out of memory':
      return tooDemanding('memory');
    case 'overloaded':
    case 'closed':
      return new AppError(
        'unavailable',
        'Too many style rules are being checked right now. Try again shortly.',
        undefined,
        { retryAfterSeconds: 5 },
      );
    case 'aborted':
    case 'crashed':
      return error;
  }
}

function tooDemanding(what: string): AppError {
  return new AppError(
    'unprocessable',
    `These style rules take too much ${what} to compile. Use fewer rules or simpler patterns.`,
  );
}

function tooLongToTry(): AppError {
  return new AppError(
    'unprocessable',
    'These style rules take too much time on a text of this length. Try fewer or simpler rules, or a shorter text.',
  );
}

/** The error for files without a rule that can be imported. */
export function nothingToImport(reason = 'extends capitalization, which has no counterpart here') {
  return invalidFields([
    { field: 'files', issue: `contain no rule that can be imported; ${reason}` },
  ]);
}
