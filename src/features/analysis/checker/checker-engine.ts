import { Injectable } from '@nestjs/common';
import { CHECKS, type AnalysisSettings } from '@document-service/text-analysis/analysis';
import { TimeLimit } from '../../../platform/basics/clock/time-limit.js';
import { type Caller, FairLimiter } from '../../../platform/basics/concurrency/fair-limiter.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { OfflineProvider } from '../providers/offline/offline-provider.js';
import { AccountRulesService } from '../settings/account-settings.service.js';
import type { CheckRequest } from './check-request.js';
import { enablesStyle } from './language-tool-ids.js';

/** Limits on the checks of this process. */
@Injectable()
export class CheckerLimits {
  /** Maximum time of an analysis in ms. */
  timeLimitMs = 20_000;
}

/** Bounds the memory of texts that wait for the engine, whose threads are shared fairly between accounts. */
const AT_ONCE = {
  concurrency: 8,
  maxRunningOfOwner: 4,
  maxWaiting: 256,
  maxOfOwner: 32,
  waitLimitMs: 20_000,
} as const;

/** Analyzes texts of editors in the threads of this process, by rules and dictionaries only: no text leaves the machine. */
@Injectable()
export class CheckerEngine {
  private readonly limiter = new FairLimiter(AT_ONCE, busy);

  constructor(
    private readonly accounts: AccountRulesService,
    private readonly offline: OfflineProvider,
    private readonly limits: CheckerLimits,
  ) {}

  /**
   * Returns the JSON text of an `AnalysisResult` of the plain text. Throws `internal` after the time limit, and
   * `unavailable` if too many texts wait or this one waits for 20 s. Stops when the client disconnects.
   */
  analyze(request: CheckRequest, accountId: string, client: Caller): Promise<string> {
    return this.limiter.run({ owner: accountId, caller: client }, () =>
      this.withinLimits(client, (signal) => this.resultOf(request, accountId, signal)),
    );
  }

  private async resultOf(
    { text, language, preferredVariants, isPicky, rules: selection }: CheckRequest,
    accountId: string,
    signal: AbortSignal,
  ): Promise<string> {
    const { rules } = await this.accounts.forAccount(accountId);
    const settings: AnalysisSettings = {
      checks: [...CHECKS],
      language,
      suggestionLevel: isPicky || enablesStyle(selection) ? 'high' : 'medium',
    };
    const { result } = await this.offline.analyze(
      {
        accountId,
        content: text.plain,
        format: 'plain',
        settings,
        rules,
        dismissed: [],
        kept: null,
        preferredVariants,
      },
      signal,
      { forEditor: true },
    );
    return result;
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
