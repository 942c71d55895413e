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
  modelEngine,
} from '../analysis-provider.js';
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
import { readEdits, readText, editsPrompt, textPrompt, type Wishes } from './prompt.js';
import { ModelCalls } from './model-calls.js';
import { ModelFailure } from './model-failure.js';
import {
  EDIT_GOALS,
  isTextGoal,
  MAX_TEXT_CHARACTERS,
  type EditGoal,
  type TextGoal,
} from './model-goals.js';
import { overlaps, placeEdits, type Dropped, type PlacedEdit } from './place-edits.js';
import { estimatedTokens, TokenBudget } from './token-budget.js';

/** For all calls of one job; less than the job may take, so that it ends with a sentence. */
const WHOLE_LIMIT_MS = 8 * 60 * 1000;
/** Tokens of an answer beside those that grow with the text, and in all. */
const ANSWER_TOKENS = 1_000;
const MAX_ANSWER_TOKENS = 16_000;
/** What a title or a summary is made of is cut into calls of so many UTF-16 units. */
const TEXT_GOAL_UNITS = 24_000;
const THREAD = { timeLimitMs: 60_000, idleMs: 60_000 };

/**
 * The offline engine with a language model beside it: findings in every language, and goals that need one. Texts go to
 * the server that the operator configured, and to no other; nothing the model says changes a text by itself.
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
    const task: ModelTask = { kind: 'show', text, format, key, kept };
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
    // The rules compute while the model is waited for. A model that fails does not cut them: to end a task ends its
    // thread, and the next text would wait until another one has loaded the engine.
    const [offline, { found, warnings }] = await this.within(signal, (limited) =>
      Promise.all([this.offline.analyze(request, signal), find(limited)]),
    );
    const made = {
      ...{ text, offline, found, settings, engine: this.engine },
      ...{ rules: request.rules, dismissed: request.dismissed, warnings },
    };
    return this.inThread<AnalysisOutcome>(accountId, { kind: 'merge', made }, signal);
  }

  async enhance(
    request: EnhanceRequest,
    signal: AbortSignal,
    report: (progress: Progress) => void = () => undefined,
  ): Promise<EnhanceOutcome> {
    const { accountId, content: text, format, goals, settings } = request;
    requireWishes(request);
    const calls = this.calls();
    const editGoals = goals.filter((goal): goal is EditGoal => !isTextGoal(goal));
    const textGoals = goals.filter(isTextGoal);
    const wishes = { instructions: wordsOf(request), language: settings.language };
    const task: ModelTask = { kind: 'show', text, format, key: '', kept: null };
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
    const accepted = goals.includes('translate') ? new Set<string>() : acceptedWords(request.rules);
    const goal = editGoals.find((one) => one !== 'correct') ?? 'correct';
    const kept = placed.filter((edit) => {
      const why = changesAcceptedWord(edit, accepted)
        ? 'accepted-word'
        : offline.suggestions.some((one) => overlaps(one, edit)) && 'overlapping';
      if (why) add(dropped, why, 1);
      return !why;
    });
    const dismissed = new Set(request.dismissed);
    const issues = issuesOf(
      text,
      kept.map((edit) => findingOf(edit, goal)),
    );
    const suggestions: ProposedEdit[] = issues
      .filter(({ id }) => !dismissed.has(id))
      .map((issue) => ({ ...issue, reason: issue.message }));
    for (const [why, count] of Object.entries(offline.dropped)) add(dropped, why, count);
    return {
      suggestions: [...offline.suggestions, ...suggestions].sort(
        (one, other) => one.start - other.start,
      ),
      ...{ dropped, texts },
      warnings: [...offline.warnings, ...shown.warnings],
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.pool?.close(), this.opened?.model.close()]);
  }

  /** The edits of one call. */
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

  /** A text made of the document. What is too long for one call is summarised part by part first. */
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
        maxOutputTokens: ANSWER_TOKENS,
        read: readText,
      } as const;
      return plainText(of, await calls.ask(question, signal));
    };
    const parts = joined(shown.pieces.flat().map(({ text }) => text));
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

  /** Ends all of `work` when it takes too long, and what is left of it when a part has failed. */
  private async within<Result>(
    signal: AbortSignal,
    work: (limited: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const ends = new AbortController();
    const limit = new TimeLimit(WHOLE_LIMIT_MS, () => {
      ends.abort(new ModelFailure('timed-out', String(WHOLE_LIMIT_MS / 1000)));
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
      waitLimitMs: WHOLE_LIMIT_MS,
      resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
    });
    try {
      return (await this.pool.run(accountId, task, { signal })) as Result;
    } catch (error) {
      signal.throwIfAborted();
      const crashed = error instanceof ThreadPoolError && !PASSING.includes(error.failure);
      throw crashed
        ? new JobCrash(`${error.failure} while it looked for paragraphs`, { cause: error })
        : error;
    }
  }
}

/** Of a thread: the text is not to blame. */
const PASSING: readonly ThreadPoolError['failure'][] = ['overloaded', 'aborted', 'closed'];

function noModel(): AppError {
  return new AppError(
    'unprocessable',
    'This account has its texts looked at by a model, but the operator has none any more. Choose offline by PATCH /v1/analysis-settings, or ask the operator to set AI_MODEL and AI_BASE_URL.',
    { provider: 'model' },
  );
}

function noProse(goal: TextGoal): AppError {
  return new AppError(
    'unprocessable',
    `The goal ${goal} needs a text: this one has no prose. Write some first.`,
    { goal },
  );
}

/** What the author asks for in words; null for nothing. */
function wordsOf({ goals, instructions, tone, targetLanguage }: EnhanceRequest): string | null {
  const words = [
    ...(goals.includes('tone') && tone !== null ? [`The tone: ${tone}.`] : []),
    ...(goals.includes('translate') && targetLanguage !== null
      ? [`Translate into: ${targetLanguage}.`]
      : []),
    ...(instructions === null ? [] : [instructions]),
  ];
  return words.length === 0 ? null : words.join('\n');
}

/** Throws `bad_request` where a goal cannot be reached by what was said. */
function requireWishes(request: EnhanceRequest): void {
  const { goals, instructions, targetLanguage } = request;
  const isSaid = instructions !== null && instructions.trim() !== '';
  if (goals.includes('custom') && !isSaid) {
    throw new AppError(
      'bad_request',
      'The goal custom needs instructions: say in them what to do.',
      {
        field: 'instructions',
      },
    );
  }
  if (goals.includes('translate') && !isSaid && targetLanguage === null) {
    throw new AppError(
      'bad_request',
      'The goal translate needs a language: say by targetLanguage into which one, such as de.',
      { field: 'targetLanguage' },
    );
  }
}

function answerTokens(text: string, factor: number): number {
  return Math.min(Math.ceil(estimatedTokens(text) * factor) + ANSWER_TOKENS, MAX_ANSWER_TOKENS);
}

function byParagraph(
  piece: readonly HashedParagraph[],
  placed: readonly PlacedEdit[],
): FoundInParagraph[] {
  return piece.map(({ hash, start, end }) => ({
    ...{ hash, start },
    findings: placed
      .filter((edit) => edit.start >= start && edit.end <= end)
      .map((edit) => findingOf(edit, 'correct'))
      .map((one) => ({ ...one, start: one.start - start, end: one.end - start })),
  }));
}

/** Whole paragraphs in parts of bounded size. */
function joined(paragraphs: readonly string[]): string[] {
  const parts: string[] = [];
  for (const paragraph of paragraphs) {
    const last = parts.at(-1);
    if (last === undefined || last.length + paragraph.length > TEXT_GOAL_UNITS)
      parts.push(paragraph);
    else parts[parts.length - 1] = `${last}\n\n${paragraph}`;
  }
  return parts;
}

/** One line for a title; without what a program would make a link or markup of. Throws when nothing is left. */
function plainText(goal: TextGoal, text: string): string {
  const spaced = goal === 'title' ? text.replace(/\s+/g, ' ') : text;
  const plain = spaced
    .toWellFormed()
    .replace(/[^\P{Cc}\n]/gu, '')
    .trim();
  if (plain === '') throw new ModelFailure('answer-unusable', 'the text is empty');
  if (plain.length > MAX_TEXT_CHARACTERS[goal]) {
    throw new ModelFailure('answer-unusable', `the text for ${goal} is too long`);
  }
  if (/<[a-z/!]|:\/\/|\]\(/i.test(plain)) {
    throw new ModelFailure('answer-unusable', `the text for ${goal} holds a link or HTML`);
  }
  return plain;
}

function add(counts: Record<string, number>, why: string, count: number): void {
  counts[why] = (counts[why] ?? 0) + count;
}
