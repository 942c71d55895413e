import { Injectable } from '@nestjs/common';
import type { Principal } from '../../access/auth/principal.js';
import { Quotas } from '../../usage/quotas/quotas.js';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { TimeLimit } from '../../../platform/basics/clock/time-limit.js';
import { type Caller, FairLimiter } from '../../../platform/basics/concurrency/fair-limiter.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { Config } from '../../../platform/config/config.js';
import { CHECKS } from '@document-service/text-analysis/analysis';
import { OfflineProvider } from '../providers/offline/offline-provider.js';
import { AccountRulesService } from '../settings/account-settings.service.js';
import type { CheckFields } from './check-fields.js';
import type { CheckRequest } from './check-request.js';
import { CheckerLanguages } from './checker-languages.js';
import { CheckerThreads } from './checker-threads.js';
import { countedParagraphs, FreeParagraphs } from './free-paragraphs.js';
import { enablesStyle } from './language-tool-ids.js';

/** Limits on the checks of this process. */
@Injectable()
export class CheckerLimits {
  /** Maximum time of a check in ms, including its wait for other texts. */
  timeLimitMs = 20_000;
}

/**
 * Checks texts for editors, as LanguageTool does, in threads of this process. Nothing is stored: no job, no event, and no
 * text. See docs/adr/0035-languagetool-compatible-checker.md.
 */
@Injectable()
export class CheckerService {
  private readonly free = new FreeParagraphs();
  private readonly limiter: FairLimiter;
  private opening: Promise<CheckerLanguages> | undefined;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly quotas: Quotas,
    private readonly accounts: AccountRulesService,
    private readonly offline: OfflineProvider,
    private readonly threads: CheckerThreads,
    private readonly limits: CheckerLimits,
  ) {
    // Bounds the memory of texts that wait for the engine, whose threads are shared fairly between accounts.
    const waitLimitMs = this.limits.timeLimitMs;
    this.limiter = new FairLimiter(
      { concurrency: 8, maxRunningOfOwner: 4, maxWaiting: 256, maxOfOwner: 32, waitLimitMs },
      busy,
    );
  }

  /** Returns the languages that can be checked. */
  languages(): Promise<CheckerLanguages> {
    this.opening ??= CheckerLanguages.open(this.config.spellDictionaries);
    return this.opening;
  }

  /**
   * Returns LanguageTool's response as JSON text. Throws `bad_request`, `payload_too_large`, `forbidden` if the plan's
   * daily characters are used up, `internal` after the time limit, and `unavailable` if too many texts wait. Stops when
   * the client disconnects.
   */
  async check(fields: CheckFields, principal: Principal, client: Caller): Promise<string> {
    const { accountId } = principal;
    const size = sizeOf(fields);
    const request = await this.threads.run('checkRequest', { owner: accountId, size }, fields);
    const languages = await this.languages();
    languages.require(request.language);
    const paragraphs = countedParagraphs(request.text.plain);
    const units = this.free.unchecked(accountId, paragraphs, this.clock.now());
    if (units > 0) await this.quotas.countToday(principal, 'checkCharactersPerDay', units);
    try {
      const answer = await this.withinLimits(client, (signal) =>
        this.limiter.run({ owner: accountId, signal }, () =>
          this.answer(request, languages, accountId, signal),
        ),
      );
      this.free.add(accountId, paragraphs, this.clock.now());
      return answer;
    } catch (error) {
      if (units > 0 && !client.closed) {
        await this.quotas.countToday(principal, 'checkCharactersPerDay', -units);
      }
      throw error;
    }
  }

  private async answer(
    request: CheckRequest,
    languages: CheckerLanguages,
    accountId: string,
    signal: AbortSignal,
  ): Promise<string> {
    const { text, language, preferredVariants, isPicky, rules } = request;
    const account = await this.accounts.forAccount(accountId);
    const { result } = await this.offline.analyze(
      {
        accountId,
        content: text.plain,
        format: 'plain',
        settings: {
          checks: [...CHECKS],
          language,
          suggestionLevel: isPicky || enablesStyle(rules) ? 'high' : 'medium',
        },
        rules: account.rules,
        dismissed: [],
        kept: null,
        preferredVariants: languages.supported(preferredVariants),
      },
      signal,
      { keepsThreads: true },
    );
    const size = result.length + text.plain.length;
    return this.threads.run('checkAnswer', { owner: accountId, size }, request, result);
  }

  /** Runs `work`. Aborts it and rejects at the time limit, and when the client disconnects. */
  private withinLimits(
    client: Caller,
    work: (signal: AbortSignal) => Promise<string>,
  ): Promise<string> {
    return new Promise((resolve, reject) => {
      const controller = new AbortController();
      const stop = (reason: AppError) => {
        reject(reason);
        controller.abort(reason);
      };
      const { timeLimitMs } = this.limits;
      const limit = new TimeLimit(timeLimitMs, () => {
        stop(tooSlow(timeLimitMs));
      });
      const onClose = () => {
        stop(disconnected());
      };
      client.once('close', onClose);
      work(controller.signal)
        .then(resolve, reject)
        .finally(() => {
          limit.clear();
          client.off('close', onClose);
        });
    });
  }
}

/** Returns the size of the largest field in UTF-16 units. `data` of a JSON body is an object of unknown size. */
function sizeOf({ text, data = '' }: CheckFields): number {
  if (typeof data !== 'string') return Infinity;
  return Math.max(typeof text === 'string' ? text.length : 0, data.length);
}

function busy(): AppError {
  return new AppError(
    'unavailable',
    'Too many texts are being checked at once. Try again shortly.',
    undefined,
    { retryAfterSeconds: 2 },
  );
}

function tooSlow(timeLimitMs: number): AppError {
  return new AppError(
    'internal',
    `The check took longer than ${String(timeLimitMs / 1000)} seconds. Try again, or send a shorter text.`,
  );
}

function disconnected(): AppError {
  return new AppError('bad_request', 'The client disconnected before the check was finished.');
}
