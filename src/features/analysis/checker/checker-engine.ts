import { Injectable } from '@nestjs/common';
import { CHECKS, type AnalysisSettings } from '@document-service/text-analysis/analysis';
import type { AnalysisRequest } from '@document-service/text-analysis/analysis-request';
import { MAX_SHORT_SEARCH_COST, searchCost } from '@document-service/text-analysis/search-cost';
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

/** Maximum UTF-16 units of a short text: 2,000 words of about any language. */
const SHORT_TEXT = 16_384;
/**
 * Bound the memory of texts that the engine works on. Short texts have a limit of their own, because they must not wait
 * until a long one is finished: the threads decide which text goes on first. Two long texts keep the threads busy, and
 * more would only make each other late.
 */
const LONG_AT_ONCE = { concurrency: 2, maxWaiting: 256, maxOfOwner: 32, waitLimitMs: 30_000 };
const SHORT_AT_ONCE = { ...LONG_AT_ONCE, concurrency: 256, maxRunningOfOwner: 4 };

/** A text of an editor, without what its account contributes. */
export type EditorText = Omit<AnalysisRequest, 'accountId' | 'rules' | 'kept'>;

/** Analyzes texts of editors in the threads of this process, by rules and dictionaries only: no text leaves the machine. */
@Injectable()
export class CheckerEngine {
  private readonly short = new FairLimiter(SHORT_AT_ONCE, busy);
  private readonly long = new FairLimiter(LONG_AT_ONCE, busy);

  constructor(
    private readonly accounts: AccountRulesService,
    private readonly offline: OfflineProvider,
    private readonly limits: CheckerLimits,
  ) {}

  /**
   * Returns the JSON text of an `AnalysisResult`. After the time limit, throws `payload_too_large` if the
   * account has slow style rules, and `internal` otherwise. Throws `unavailable` if too many texts wait or this one waits
   * for 30 s. Stops when the client disconnects.
   */
  analyze(text: EditorText, accountId: string, client: Caller): Promise<string> {
    const limiter = text.content.length > SHORT_TEXT ? this.long : this.short;
    return limiter.run({ owner: accountId, caller: client }, async () => {
      const { rules } = await this.accounts.forAccount(accountId);
      const isSlow = searchCost(rules.styleRules) > MAX_SHORT_SEARCH_COST;
      return this.withinLimits(client, isSlow ? slowRules : tooSlow, async (signal) => {
        const request = { ...text, accountId, rules, kept: null };
        return (await this.offline.analyze(request, signal, { forEditor: true })).result;
      });
    });
  }

  /** Runs `work`. Aborts it and rejects at the time limit, and when the client disconnects. */
  private withinLimits(
    client: Caller,
    late: (seconds: string) => AppError,
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
        stop(late(String(timeLimitMs / 1000)));
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

function tooSlow(seconds: string): AppError {
  return new AppError(
    'internal',
    `The check took longer than ${seconds} seconds. Try again, or send a shorter text.`,
  );
}

function slowRules(seconds: string): AppError {
  return new AppError(
    'payload_too_large',
    `With the style rules of your account, the check took longer than ${seconds} seconds. Send a shorter text, or use fewer or smaller patterns.`,
  );
}

function disconnected(): AppError {
  return new AppError('bad_request', 'The client disconnected before the check was finished.');
}

/** Returns the text of a check and its settings. */
export function editorTextOf({
  text,
  language,
  preferredVariants,
  isPicky,
  rules,
}: CheckRequest): EditorText {
  const settings: AnalysisSettings = {
    checks: [...CHECKS],
    language,
    suggestionLevel: isPicky || enablesStyle(rules) ? 'high' : 'medium',
  };
  return { content: text.plain, format: 'plain', settings, dismissed: [], preferredVariants };
}
