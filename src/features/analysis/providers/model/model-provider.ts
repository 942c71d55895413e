import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../../../platform/basics/clock/clock.js';
import { TimeLimit } from '../../../../platform/basics/clock/time-limit.js';
import { Config } from '../../../../platform/config/config.js';
import { Database } from '../../../../platform/database/database.js';
import { AppError } from '../../../../platform/basics/errors/app-error.js';
import type { Progress } from '../../../jobs/job.js';
import { JobCrash } from '../../../jobs/worker/attempt-outcome.js';
import { ThreadPool, ThreadPoolError } from '../../../../platform/threads/thread-pool.js';
import { threadModule } from '../../../../platform/threads/thread-task.js';
import type { EngineVersion } from '@document-service/text-analysis/analysis';
import {
  GOALS,
  type AnalysisProvider,
  type EnhanceOutcome,
  type EnhanceRequest,
  type ProposedEdit,
  type ProposedText,
} from '../analysis-provider.js';
import { modelEngine } from '../engine-versions.js';
import type {
  AnalysisOutcome,
  AnalysisRequest,
} from '@document-service/text-analysis/analysis-request';
import { OfflineProvider } from '../offline/offline-provider.js';
import {
  acceptedWords,
  changesAcceptedWord,
  findingOf,
  issuesOf,
  MODEL_CHECKS,
} from './model-findings.js';
import { AiSdkModel } from './language-model.js';
import type { FoundInParagraph, ModelTask, HashedParagraph, Shown } from './model-thread.js';
import {
  readEdits,
  readText,
  editsPrompt,
  textPrompt,
  type Wishes,
  joinParagraphs,
  plainText,
} from './prompt.js';
import { ModelCalls } from './model-calls.js';
import { ModelFailure } from './model-failure.js';
import { EDIT_GOALS, isTextGoal, type EditGoal, type TextGoal } from './model-goals.js';
import { overlap } from '../../enhancements/apply-suggestions.js';
import { placeEdits, type Dropped, type PlacedEdit } from './place-edits.js';
import { estimatedTokens, TokenBudget } from './token-budget.js';

/** Time limit for all calls of one job. Shorter than the job's limit, so that the job fails with a clear message. */
const TOTAL_LIMIT_MS = 8 * 60 * 1000;
/** Tokens of an answer beyond those that depend on the length of the text. */
const BASE_ANSWER_TOKENS = 1_000;
const MAX_ANSWER_TOKENS = 16_000;
const THREAD = { timeLimitMs: 60_000, idleMs: 60_000 };

/**
 * The offline engine plus a language model, for findings in all languages and more goals. Sends texts only to the server
 * that the operator configured. Model output never changes a text without review.
 */
@Injectable()
export class ModelProvider implements AnalysisProvider, OnApplicationShutdown {
  readonly name = 'model';
  readonly goals = GOALS;
  readonly engine: EngineVersion;

  private readonly budget: TokenBudget;
  private opened: { model: AiSdkModel; calls: ModelCalls } | undefined;
  private pool: ThreadPool | undefined;

  constructor(
    private readonly config: Config,
    private readonly offline: OfflineProvider,
    database: Database,
    clock: Clock,
  ) {
    this.engine = modelEngine(config.model);
    this.budget = new TokenBudget(database, clock);
  }

  async analyze(request: AnalysisRequest, signal: AbortSignal): Promise<AnalysisOutcome> {
    const { accountId, content: text, format, settings, kept } = request;
    const calls = this.calls();
    const key = JSON.stringify([this.engine, settings.language, 'correct']);
    const task: ModelTask = { kind: 'show', text, format, key, stored: kept };
    const wishes = { instructions: null, language: settings.language };
    const isAsked = MODEL_CHECKS.some((check) => settings.checks.includes(check));
    const find = async (limited: AbortSignal) => {
      if (!isAsked) return { found: [], warnings: [] };
      const shown = await this.inThread<Shown>(accountId, task, limited);
      const found: FoundInParagraph[] = shown.known.map(
        ({ paragraph: { hash, start }, findings }) => ({ hash, start, findings }),
      );
      for (const piece of shown.pieces) {
        const asked = { accountId, goals: ['correct'] as EditGoal[], piece, wishes };
        found.push(...byParagraph(piece, (await this.edits(calls, asked, limited)).placed));
      }
      return { found, warnings: shown.warnings };
    };
    // The offline engine runs while the model answers. A model failure does not cancel it: that would end its thread, and
    // the next text would wait for a new thread to load the engine.
    const [offline, { found, warnings }] = await this.within(signal, (limited) =>
      Promise.all([this.offline.analyze(request, signal), find(limited)]),
    );
    const made = {
      text,
      offline,
      found,
      settings,
      engine: this.engine,
      rules: request.rules,
      dismissed: request.dismissed,
      warnings,
    };
    return this.inThread<AnalysisOutcome>(accountId, { kind: 'merge', made }, signal);
  }

  async enhance(
    request: EnhanceRequest,
    signal: AbortSignal,
    report: (progress: Progress) => void = () => undefined,
  ): Promise<EnhanceOutcome> {
    const { accountId, content: text, format, goals, settings } = request;
    requireDetails(request);
    const calls = this.calls();
    const editGoals = goals.filter((goal): goal is EditGoal => !isTextGoal(goal));
    const textGoals = goals.filter(isTextGoal);
    const wishes = { instructions: instructionsOf(request), language: settings.language };
    const task: ModelTask = { kind: 'show', text, format, key: '', stored: null };
    const offline = goals.includes('correct')
      ? await this.offline.enhance({ ...request, goals: ['correct'], instructions: null }, signal)
      : { suggestions: [], dropped: {}, warnings: [] };
    const shown = await this.inThread<Shown>(accountId, task, signal);
    const total = (editGoals.length > 0 ? shown.pieces.length : 0) + textGoals.length;
    let done = 0;
    const advance = () => {
      report({ done: (done += 1), total });
    };
    const dropped: Dropped & Record<string, number> = {};
    const placed: PlacedEdit[] = [];
    const texts: ProposedText[] = [];
    await this.within(signal, async (limited) => {
      for (const piece of editGoals.length > 0 ? shown.pieces : []) {
        const made = await this.edits(
          calls,
          { accountId, goals: editGoals, piece, wishes },
          limited,
        );
        placed.push(...made.placed);
        for (const [why, count] of Object.entries(made.dropped)) add(dropped, why, count);
        advance();
      }
      for (const goal of textGoals) {
        const made = await this.text(calls, { accountId, goal, shown, wishes }, limited);
        texts.push({ goal, text: made });
        advance();
      }
    });
    const words = goals.includes('translate') ? new Set<string>() : acceptedWords(request.rules);
    const goal = editGoals.find((one) => one !== 'correct') ?? 'correct';
    const accepted = placed.filter((edit) => {
      const why = changesAcceptedWord(edit, words)
        ? 'accepted-word'
        : offline.suggestions.some((one) => overlap(one, edit)) && 'overlapping';
      if (why) add(dropped, why, 1);
      return !why;
    });
    const dismissed = new Set(request.dismissed);
    const issues = issuesOf(
      text,
      accepted.map((edit) => findingOf(edit, goal)),
    );
    const suggestions: ProposedEdit[] = issues
      .filter(({ id }) => !dismissed.has(id))
      .map((issue) => ({ ...issue, reason: issue.message }));
    for (const [why, count] of Object.entries(offline.dropped)) add(dropped, why, count);
    return {
      suggestions: [...offline.suggestions, ...suggestions].sort(
        (one, other) => one.start - other.start,
      ),
      dropped,
      texts,
      warnings: [...offline.warnings, ...shown.warnings],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.pool?.close(), this.opened?.model.close()]);
  }

  /** Returns the edits of one call. */
  private async edits(
    calls: ModelCalls,
    asked: { accountId: string; goals: EditGoal[]; piece: HashedParagraph[]; wishes: Wishes },
    signal: AbortSignal,
  ): Promise<{ placed: PlacedEdit[]; dropped: Dropped }> {
    const { accountId, goals, piece, wishes } = asked;
    const texts = piece.map(({ text }) => text);
    const factor = Math.max(...goals.map((goal) => EDIT_GOALS[goal].answerFactor));
    const question = {
      accountId,
      prompt: editsPrompt(goals, texts, wishes),
      kind: 'edits',
      maxOutputTokens: answerTokens(texts.join('\n'), factor),
      read: readEdits,
    } as const;
    return placeEdits(await calls.ask(question, signal), piece, goals);
  }

  /** Returns a title or summary. Summarizes the parts of a long text first. */
  private async text(
    calls: ModelCalls,
    asked: { accountId: string; goal: TextGoal; shown: Shown; wishes: Wishes },
    signal: AbortSignal,
  ): Promise<string> {
    const { accountId, goal, shown, wishes } = asked;
    const ask = async (of: TextGoal, text: string) => {
      const question = {
        accountId,
        prompt: textPrompt(of, text, wishes),
        kind: 'text',
        maxOutputTokens: BASE_ANSWER_TOKENS,
        read: readText,
      } as const;
      return plainText(of, await calls.ask(question, signal));
    };
    const parts = joinParagraphs(shown.pieces.flat().map(({ text }) => text));
    const [first = '', ...rest] = parts;
    if (first === '') throw noProse(goal);
    if (rest.length === 0) return ask(goal, first);
    const summaries: string[] = [];
    for (const part of parts) summaries.push(await ask('summarise', part));
    return ask(goal, summaries.join('\n\n'));
  }

  private calls(): ModelCalls {
    const { model: settings } = this.config;
    if (!settings) throw noModel();
    if (!this.opened) {
      const model = new AiSdkModel(settings);
      this.opened = { model, calls: new ModelCalls(model, this.budget, settings.timeLimitMs) };
    }
    return this.opened.calls;
  }

  /** Aborts `work` after the time limit, and the rest of it once a part fails. */
  private async within<Result>(
    signal: AbortSignal,
    work: (limited: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const ends = new AbortController();
    const limit = new TimeLimit(TOTAL_LIMIT_MS, () => {
      ends.abort(new ModelFailure('timed-out', String(TOTAL_LIMIT_MS / 1000)));
    });
    try {
      return await work(AbortSignal.any([signal, ends.signal]));
    } catch (error) {
      ends.abort(error);
      throw error;
    } finally {
      limit.clear();
    }
  }

  private async inThread<Result>(
    accountId: string,
    task: ModelTask,
    signal: AbortSignal,
  ): Promise<Result> {
    this.pool ??= new ThreadPool({
      ...threadModule(import.meta.url, 'model-thread'),
      ...THREAD,
      threads: 1,
      maxWaiting: 1_000,
      maxOfOwner: 100,
      waitLimitMs: TOTAL_LIMIT_MS,
      resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
    });
    try {
      return (await this.pool.run(accountId, task, { signal })) as Result;
    } catch (error) {
      signal.throwIfAborted();
      const crashed = error instanceof ThreadPoolError && !TRANSIENT.includes(error.failure);
      throw crashed
        ? new JobCrash(`${error.failure} while reading paragraphs`, { cause: error })
        : error;
    }
  }
}

/** Thread failures that the text did not cause. */
const TRANSIENT: readonly ThreadPoolError['failure'][] = ['overloaded', 'aborted', 'closed'];

function noModel(): AppError {
  return new AppError(
    'unprocessable',
    'This account uses the model provider, but this service no longer has a model. Select offline with PATCH /v1/analysis-settings, or ask the operator to set AI_MODEL and AI_BASE_URL.',
    { provider: 'model' },
  );
}

function noProse(goal: TextGoal): AppError {
  return new AppError(
    'unprocessable',
    `The goal ${goal} needs a document with prose. Add some text first.`,
    { goal },
  );
}

/** Returns the request's instructions for the prompt, or null if there are none. */
function instructionsOf({
  goals,
  instructions,
  tone,
  targetLanguage,
}: EnhanceRequest): string | null {
  const words = [
    ...(goals.includes('tone') && tone !== null ? [`The tone: ${tone}.`] : []),
    ...(goals.includes('translate') && targetLanguage !== null
      ? [`Translate into: ${targetLanguage}.`]
      : []),
    ...(instructions === null ? [] : [instructions]),
  ];
  return words.length === 0 ? null : words.join('\n');
}

/** Throws `bad_request` if a goal lacks its instructions or language. */
function requireDetails(request: EnhanceRequest): void {
  const { goals, instructions, targetLanguage } = request;
  const isSaid = instructions !== null && instructions.trim() !== '';
  if (goals.includes('custom') && !isSaid) {
    throw new AppError(
      'bad_request',
      'The goal custom needs instructions that describe the change.',
      { field: 'instructions' },
    );
  }
  if (goals.includes('translate') && !isSaid && targetLanguage === null) {
    throw new AppError(
      'bad_request',
      'The goal translate needs a language: set targetLanguage, for example to de.',
      { field: 'targetLanguage' },
    );
  }
}

function answerTokens(text: string, factor: number): number {
  return Math.min(
    Math.ceil(estimatedTokens(text) * factor) + BASE_ANSWER_TOKENS,
    MAX_ANSWER_TOKENS,
  );
}

function byParagraph(
  piece: readonly HashedParagraph[],
  placed: readonly PlacedEdit[],
): FoundInParagraph[] {
  return piece.map(({ hash, start, end }) => ({
    hash,
    start,
    findings: placed
      .filter((edit) => edit.start >= start && edit.end <= end)
      .map((edit) => findingOf(edit, 'correct'))
      .map((one) => ({ ...one, start: one.start - start, end: one.end - start })),
  }));
}

function add(counts: Record<string, number>, why: string, count: number): void {
  counts[why] = (counts[why] ?? 0) + count;
}
