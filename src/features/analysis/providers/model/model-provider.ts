import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { MINUTE_MS } from '../../../../platform/background/background-tasks.js';
import { TimeLimit } from '../../../../platform/basics/clock/time-limit.js';
import { Config } from '../../../../platform/config/config.js';
import { AppError } from '../../../../platform/basics/errors/app-error.js';
import type { Progress } from '../../../jobs/job.js';
import { JobCrash } from '../../../jobs/worker/attempt-outcome.js';
import { ThreadPool, ThreadPoolError } from '../../../../platform/threads/thread-pool.js';
import { threadModule } from '../../../../platform/threads/thread-task.js';
import type { EngineVersion } from '@document-service/text-analysis/analysis';
import {
  GOALS,
  isOfflineGoal,
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
  type Context,
  plainText,
} from './prompt.js';
import { ModelCalls } from './model-calls.js';
import { ModelFailure } from './model-failure.js';
import { partWarnings } from './part-warnings.js';
import {
  isPieceFailure,
  runPieces,
  sentenceOf,
  type PieceFailure,
  type PieceRun,
} from './piece-run.js';
import { EDIT_GOALS, isTextGoal, type EditGoal, type TextGoal } from './model-goals.js';
import { overlap } from '../../enhancements/apply-suggestions.js';
import { placeEdits, type Dropped, type PlacedEdit } from './place-edits.js';
import { estimatedTokens, TokenBudgetService } from './token-budget.service.js';

/** Time limit for all calls of one job: a part per job and a part per call. Shorter than the job's limit. */
const BASE_LIMIT_MS = 8 * MINUTE_MS;
const LIMIT_PER_CALL_MS = MINUTE_MS / 3;
const MAX_LIMIT_MS = 55 * MINUTE_MS;
/** Units of the text before a piece that its call repeats. */
const CONTEXT_UNITS = 400;
/** Tokens of a response beyond those that depend on the length of the text. */
const BASE_OUTPUT_TOKENS = 1_000;
const MAX_OUTPUT_TOKENS = 16_000;
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

  private opened: { model: AiSdkModel; calls: ModelCalls } | undefined;
  private pool: ThreadPool | undefined;

  constructor(
    private readonly config: Config,
    private readonly offline: OfflineProvider,
    private readonly budget: TokenBudgetService,
  ) {
    this.engine = modelEngine(config.model);
  }

  async analyze(request: AnalysisRequest, signal: AbortSignal): Promise<AnalysisOutcome> {
    const { accountId, content: text, format, settings, kept } = request;
    const calls = this.calls();
    const key = JSON.stringify([this.engine, settings.language, 'correct']);
    const task: ModelTask = { kind: 'show', text, format, key, stored: kept };
    const wishes = { instructions: null, language: settings.language };
    const isAsked = MODEL_CHECKS.some((check) => settings.checks.includes(check));
    const shown = isAsked
      ? await this.inThread<Shown>(accountId, task, signal)
      : { pieces: [], known: [] };
    const { pieces, known } = shown;
    // The offline engine runs while the model responds. A model failure does not cancel it: that would end its thread, and
    // the next text would wait for a new thread to load the engine.
    const [offline, results] = await this.within(signal, pieces.length, (limited) => {
      const call = (piece: HashedParagraph[]) => {
        const asked = { accountId, goals: ['correct' as const], piece, wishes };
        return this.edits(calls, { ...asked, context: NO_CONTEXT }, limited);
      };
      return Promise.all([
        this.offline.analyze(request, signal),
        runPieces(pieces, call, signal).then(complete),
      ]);
    });
    const found = [
      ...known.map(({ paragraph: { hash, start }, findings }) => ({ hash, start, findings })),
      ...pieces.flatMap((piece, index) => byParagraph(piece, results[index]?.placed ?? [])),
    ];
    const made = {
      text,
      offline,
      found,
      settings,
      engine: this.engine,
      rules: request.rules,
      dismissed: request.dismissed,
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
    const ruleGoals = editGoals.filter(isOfflineGoal);
    const wishes = { instructions: instructionsOf(request), language: settings.language };
    const task: ModelTask = { kind: 'show', text, format, key: '', stored: null };
    const shown = await this.inThread<Shown>(accountId, task, signal);
    const pieces = editGoals.length > 0 ? shown.pieces : [];
    const parts = joinParagraphs(shown.pieces.flat().map((paragraph) => paragraph.text));
    const callsPerText = parts.length > 1 ? parts.length + 1 : 1;
    const total = pieces.length + textGoals.length * callsPerText;
    let done = 0;
    const advance = () => {
      report({ done: Math.min((done += 1), total), total });
    };
    report({ done, total });
    const [offline, run, { texts, warnings }] = await this.within(
      signal,
      total,
      async (limited) => {
        const call = async (piece: HashedParagraph[], index: number) => {
          const context = contextOf(shown, index);
          const asked = { accountId, goals: editGoals, piece, wishes, context };
          const made = await this.edits(calls, asked, limited);
          advance();
          return made;
        };
        const rules = { ...request, goals: ruleGoals, instructions: null };
        const [suggested, edited] = await Promise.all([
          ruleGoals.length > 0 ? this.offline.enhance(rules, signal) : NO_SUGGESTIONS,
          runPieces(pieces, call, signal),
        ]);
        const signals = { cancelled: signal, limited };
        const made = await this.texts(
          calls,
          textGoals,
          { accountId, parts, wishes, advance },
          signals,
        );
        const isEmpty = pieces.length === 0 && made.texts.length === 0;
        if (made.failure && isEmpty) throw made.failure;
        return [suggested, edited, made];
      },
    );
    const dropped: Dropped & Record<string, number> = {};
    const placed: PlacedEdit[] = [];
    for (const made of run.results) {
      placed.push(...(made?.placed ?? []));
      for (const [why, count] of Object.entries(made?.dropped ?? {})) add(dropped, why, count);
    }
    const words = goals.includes('translate') ? new Set<string>() : acceptedWords(request.rules);
    const goal = editGoals.find((one) => one !== 'correct') ?? 'correct';
    const changes = offline.suggestions.filter(({ replacements }) => replacements.length > 0);
    const accepted = placed.filter((edit) => {
      const why = changesAcceptedWord(edit, words)
        ? 'accepted-word'
        : changes.some((one) => overlap(one, edit)) && 'overlapping';
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
    // The model has changed the passage that a hint is about.
    const hints = offline.suggestions.filter(
      (one) => one.replacements.length === 0 && !suggestions.some((other) => overlap(one, other)),
    );
    return {
      suggestions: [...changes, ...hints, ...suggestions].sort(
        (one, other) => one.start - other.start,
      ),
      dropped,
      texts,
      warnings: [...offline.warnings, ...partWarnings(text, pieces, run.failed), ...warnings],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.pool?.close(), this.opened?.model.close()]);
  }

  /** Returns the edits of one call. */
  private async edits(
    calls: ModelCalls,
    asked: EditsAsked,
    signal: AbortSignal,
  ): Promise<{ placed: PlacedEdit[]; dropped: Dropped }> {
    const { accountId, goals, piece, wishes, context } = asked;
    const texts = piece.map(({ text }) => text);
    const factor = Math.max(...goals.map((goal) => EDIT_GOALS[goal].outputFactor));
    const question = {
      accountId,
      prompt: editsPrompt(goals, texts, wishes, context),
      kind: 'edits',
      maxOutputTokens: outputTokens(texts.join('\n'), factor),
      read: readEdits,
    } as const;
    return placeEdits(await calls.ask(question, signal), piece, goals);
  }

  /** Returns titles and summaries. A failure is a warning, because the other results remain useful. */
  private async texts(
    calls: ModelCalls,
    goals: readonly TextGoal[],
    asked: TextsAsked,
    signals: Signals,
  ): Promise<{ texts: ProposedText[]; warnings: string[]; failure?: PieceFailure }> {
    const texts: ProposedText[] = [];
    const warnings: string[] = [];
    let failure: PieceFailure | undefined;
    for (const goal of goals) {
      try {
        const text = await this.text(calls, goal, asked, signals);
        texts.push({ goal, text, source: 'model' });
      } catch (error) {
        signals.cancelled.throwIfAborted();
        if (!isPieceFailure(error)) throw error;
        failure = error;
        warnings.push(`The model returned no text for the goal ${goal}: ${sentenceOf(error)}`);
      }
    }
    return { texts, warnings, ...(failure && { failure }) };
  }

  /** Returns a title or summary. Summarizes the parts of a long text first, until the summaries fit in one call. */
  private async text(
    calls: ModelCalls,
    goal: TextGoal,
    { accountId, parts, wishes, advance }: TextsAsked,
    { cancelled, limited }: Signals,
  ): Promise<string> {
    const ask = async (of: TextGoal, text: string) => {
      const question = {
        accountId,
        prompt: textPrompt(of, text, wishes),
        kind: 'text',
        maxOutputTokens: BASE_OUTPUT_TOKENS,
        read: readText,
      } as const;
      const response = plainText(of, await calls.ask(question, limited));
      advance();
      return response;
    };
    let left = parts;
    while (left.length > 1) {
      // A summary without a part of the document would be wrong.
      const summaries = complete(
        await runPieces(left, (part) => ask('summarise', part), cancelled),
      );
      left = joinParagraphs(summaries);
    }
    const [only = ''] = left;
    if (only === '') throw noProse(goal);
    return ask(goal, only);
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

  /** Aborts `work` after a time limit that depends on the number of calls, and the rest of it once a part fails. */
  private async within<Result>(
    signal: AbortSignal,
    count: number,
    work: (limited: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const ends = new AbortController();
    const limitMs = Math.min(BASE_LIMIT_MS + count * LIMIT_PER_CALL_MS, MAX_LIMIT_MS);
    const limit = new TimeLimit(limitMs, () => {
      ends.abort(new ModelFailure('too-slow', String(Math.round(limitMs / MINUTE_MS))));
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
      waitLimitMs: BASE_LIMIT_MS,
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

interface EditsAsked {
  accountId: string;
  goals: EditGoal[];
  piece: HashedParagraph[];
  wishes: Wishes;
  context: Context;
}

interface TextsAsked {
  accountId: string;
  /** The text in parts of limited size. */
  parts: string[];
  wishes: Wishes;
  advance: () => void;
}

interface Signals {
  /** Aborts when the job is cancelled. */
  cancelled: AbortSignal;
  /** Aborts also at the time limit of the job. */
  limited: AbortSignal;
}

const NO_SUGGESTIONS: EnhanceOutcome = { suggestions: [], dropped: {}, warnings: [] };

/** Returns the results of all pieces. Throws the first failure: stored analyses and summaries must be complete. */
function complete<Result>({ results, failed }: PieceRun<Result>): Result[] {
  if (failed[0]) throw failed[0].failure;
  return results.filter((one) => one !== undefined);
}

const NO_CONTEXT: Context = { outline: '', before: '' };

/** Returns what a call repeats of the rest of the text. Nothing if the whole text fits in one call. */
function contextOf({ pieces, outline }: Shown, index: number): Context {
  if (pieces.length < 2) return NO_CONTEXT;
  const last = pieces[index - 1]?.at(-1)?.text ?? '';
  const cut = last.slice(-CONTEXT_UNITS).toWellFormed();
  const before = cut.length < last.length ? cut.slice(cut.search(/\s|$/) + 1) : cut;
  return { outline, before };
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

function outputTokens(text: string, factor: number): number {
  return Math.min(
    Math.ceil(estimatedTokens(text) * factor) + BASE_OUTPUT_TOKENS,
    MAX_OUTPUT_TOKENS,
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
