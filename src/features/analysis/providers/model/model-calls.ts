import { setTimeout as sleep } from 'node:timers/promises';
import { TimeLimit } from '../../../../platform/basics/clock/time-limit.js';
import { type ParsedResponse, repairPrompt, type Prompt } from './prompt.js';
import { FORMATS, type AiSdkModel, type ModelCall, type ModelTraits } from './language-model.js';
import { ModelFailure, problemOf, type CallProblem } from './model-failure.js';
import { estimatedTokens, type TokenBudgetService } from './token-budget.service.js';

/** Maximum attempts for a call that fails for a transient reason. */
const MAX_ATTEMPTS = 4;
/** Wait before the second attempt. It doubles with each attempt. */
const FIRST_WAIT_MS = 1_000;
/** If the server requests a longer wait, the job fails instead. */
const LONGEST_WAIT_MS = 60_000;
/** A larger reported usage is an error by the server. */
const MAX_REPORTED_TOKENS = 10_000_000;

export interface Question<Value> {
  accountId: string;
  prompt: Prompt;
  kind: ModelCall['output'];
  maxOutputTokens: number;
  read: (text: string) => ParsedResponse<Value>;
}

/** Calls a model until its response has the requested form, within the account's token budget. */
export class ModelCalls {
  /** Features that the server supports. Remembered for later calls, because each refusal costs a round trip. */
  private traits: ModelTraits = {
    format: 'json_schema',
    takesTemperature: true,
    tokenLimit: 'max_tokens',
    reportsUsage: true,
  };

  constructor(
    private readonly model: AiSdkModel,
    private readonly budget: TokenBudgetService,
    private readonly timeLimitMs: number,
  ) {}

  /**
   * Returns the parsed response. Asks once more if the response has the wrong form. Throws a {@link ModelFailure}, `forbidden`
   * if the account has no tokens left today, and the reason of `signal`.
   */
  async ask<Value>(question: Question<Value>, signal: AbortSignal): Promise<Value> {
    const first = question.read(await this.send(question, signal));
    if ('value' in first) return first.value;
    const prompt = repairPrompt(question.prompt, first.problem);
    const second = question.read(await this.send({ ...question, prompt }, signal));
    if ('value' in second) return second.value;
    throw new ModelFailure('answer-unusable', second.problem);
  }

  private async send(question: Question<unknown>, signal: AbortSignal): Promise<string> {
    let traits = this.traits;
    for (let attempt = 1; ;) {
      signal.throwIfAborted();
      const made = await this.attempt(question, traits, signal);
      if (typeof made === 'string') {
        this.traits = traits;
        return made;
      }
      const simpler = made.refusal === undefined ? undefined : simplerTraits(traits, made.refusal);
      if (simpler) {
        traits = simpler;
        continue;
      }
      const waitMs = made.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (attempt - 1);
      const isLast = attempt >= MAX_ATTEMPTS || waitMs > LONGEST_WAIT_MS;
      if (!made.isTransient || isLast) throw made.failure;
      await waitFor(waitMs, signal);
      attempt += 1;
    }
  }

  /** Makes one call. Reserves its tokens before and settles them afterwards, whether it succeeds or fails. */
  private async attempt(
    { accountId, prompt, kind, maxOutputTokens }: Question<unknown>,
    traits: ModelTraits,
    signal: AbortSignal,
  ): Promise<string | CallProblem> {
    const sent = estimatedTokens(prompt.system) + estimatedTokens(prompt.user);
    const reserved = await this.budget.reserve(accountId, sent + maxOutputTokens);
    const late = new AbortController();
    const limit = new TimeLimit(this.timeLimitMs, () => {
      late.abort();
    });
    let text = '';
    let usage: { input: number | undefined; output: number | undefined } | undefined;
    let hasBegun = false;
    let isFree = false;
    const call = {
      prompt,
      output: kind,
      maxOutputTokens,
      traits,
      signal: AbortSignal.any([signal, late.signal]),
      onBegin: () => (hasBegun = true),
    };
    try {
      for await (const part of this.model.stream(call)) {
        if ('text' in part) text += part.text;
        else usage = part.usage;
      }
      return text;
    } catch (error) {
      if (late.signal.aborted && !signal.aborted) return this.lateProblem(error);
      const problem = problemOf(error, { hasBegun, hasText: text !== '' });
      isFree = problem.isFree && !signal.aborted;
      signal.throwIfAborted();
      return problem;
    } finally {
      limit.clear();
      const used = tokensOf(usage?.input, sent) + tokensOf(usage?.output, estimatedTokens(text));
      await reserved.settle(isFree ? 0 : used);
    }
  }

  private lateProblem(cause: unknown): CallProblem {
    const seconds = String(this.timeLimitMs / 1000);
    const failure = new ModelFailure('timed-out', seconds, { cause });
    return { failure, isTransient: false, isFree: false };
  }
}

/** Returns the reported number of tokens if it is plausible, otherwise the estimate. */
function tokensOf(reported: number | undefined, estimated: number): number {
  const isPlausible = reported !== undefined && reported > 0 && reported <= MAX_REPORTED_TOKENS;
  return isPlausible ? reported : estimated;
}

/** Drops the feature that the server's refusal names. Otherwise uses a simpler answer format. */
function simplerTraits(traits: ModelTraits, refusal: string): ModelTraits | undefined {
  if (traits.takesTemperature && /temperature/i.test(refusal)) {
    return { ...traits, takesTemperature: false };
  }
  if (traits.tokenLimit === 'max_tokens' && /max_completion_tokens/i.test(refusal)) {
    return { ...traits, tokenLimit: 'max_completion_tokens' };
  }
  if (traits.reportsUsage && /stream_options|include_usage/i.test(refusal)) {
    return { ...traits, reportsUsage: false };
  }
  const format = FORMATS[FORMATS.indexOf(traits.format) + 1];
  return format && { ...traits, format };
}

async function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
  signal.throwIfAborted();
}
