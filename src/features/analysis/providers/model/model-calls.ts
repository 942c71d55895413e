import { setTimeout as sleep } from 'node:timers/promises';
import { TimeLimit } from '../../../../platform/basics/clock/time-limit.js';
import { type Answer, repairPrompt, type Prompt } from './prompt.js';
import { FORMATS, type AiSdkModel, type ModelCall, type ModelTraits } from './language-model.js';
import { ModelFailure, problemOf, type CallProblem } from './model-failure.js';
import { estimatedTokens, type TokenBudget } from './token-budget.js';

/** How often a call is made that fails for a passing reason, and how long is waited before the second one; then twice as long. */
const TRIES = 4;
const FIRST_WAIT_MS = 1_000;
/** A server that asks for a longer wait is not waited for: the job says so instead. */
const LONGEST_WAIT_MS = 60_000;
/** Told usage beyond this is a mistake of the server. */
const MAX_TOLD_TOKENS = 10_000_000;

export interface Question<Value> {
  accountId: string;
  prompt: Prompt;
  kind: ModelCall['answer'];
  maxOutputTokens: number;
  read: (text: string) => Answer<Value>;
}

/** Asks a model until it has answered in the form that was asked for, within the budget of the account. */
export class ModelCalls {
  /** What the server turned out to understand, for all later calls: each one that it refuses costs a round trip. */
  private traits: ModelTraits = {
    format: 'json_schema',
    takesTemperature: true,
    tokenLimit: 'max_tokens',
    tellsUsage: true,
  };

  constructor(
    private readonly model: AiSdkModel,
    private readonly budget: TokenBudget,
    private readonly timeLimitMs: number,
  ) {}

  /**
   * What the model answers; an answer of another form is asked for once more. Throws a {@link ModelFailure}, `forbidden`
   * when the account has no tokens left today, and the reason of `signal`.
   */
  async ask<Value>(question: Question<Value>, signal: AbortSignal): Promise<Value> {
    const first = question.read(await this.answer(question, signal));
    if ('value' in first) return first.value;
    const prompt = repairPrompt(question.prompt, first.problem);
    const second = question.read(await this.answer({ ...question, prompt }, signal));
    if ('value' in second) return second.value;
    throw new ModelFailure('answer-unusable', second.problem);
  }

  /** The text of an answer, whatever it is. */
  private async answer(question: Question<unknown>, signal: AbortSignal): Promise<string> {
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
      if (!made.isPassing || attempt >= TRIES || waitMs > LONGEST_WAIT_MS) throw made.failure;
      await waited(waitMs, signal);
      attempt += 1;
    }
  }

  /** One call: its tokens are reserved before and settled behind it, however it ends. */
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
    let told: { input: number | undefined; output: number | undefined } | undefined;
    let hasBegun = false;
    let costNothing = false;
    const call = {
      prompt,
      answer: kind,
      maxOutputTokens,
      traits,
      signal: AbortSignal.any([signal, late.signal]),
      onBegin: () => (hasBegun = true),
    };
    try {
      for await (const part of this.model.stream(call)) {
        if ('text' in part) text += part.text;
        else told = part.usage;
      }
      return text;
    } catch (error) {
      if (late.signal.aborted && !signal.aborted) return this.lateProblem(error);
      const problem = problemOf(error, { hasBegun, hasText: text !== '' });
      costNothing = problem.costNothing && !signal.aborted;
      signal.throwIfAborted();
      return problem;
    } finally {
      limit.clear();
      const used = tokensOf(told?.input, sent) + tokensOf(told?.output, estimatedTokens(text));
      await reserved.settle(costNothing ? 0 : used);
    }
  }

  private lateProblem(cause: unknown): CallProblem {
    const seconds = String(this.timeLimitMs / 1000);
    const failure = new ModelFailure('timed-out', seconds, { cause });
    return { failure, isPassing: false, costNothing: false };
  }
}

/** What the server tells, where that can be a number of tokens; else what we count. */
function tokensOf(told: number | undefined, estimated: number): number {
  const isTold = told !== undefined && told > 0 && told <= MAX_TOLD_TOKENS;
  return isTold ? told : estimated;
}

/** What to leave out after a refused request: what the server names, else the form of the answer. */
function simplerTraits(traits: ModelTraits, refusal: string): ModelTraits | undefined {
  if (traits.takesTemperature && /temperature/i.test(refusal)) {
    return { ...traits, takesTemperature: false };
  }
  if (traits.tokenLimit === 'max_tokens' && /max_completion_tokens/i.test(refusal)) {
    return { ...traits, tokenLimit: 'max_completion_tokens' };
  }
  if (traits.tellsUsage && /stream_options|include_usage/i.test(refusal)) {
    return { ...traits, tellsUsage: false };
  }
  const format = FORMATS[FORMATS.indexOf(traits.format) + 1];
  return format && { ...traits, format };
}

async function waited(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
  signal.throwIfAborted();
}
