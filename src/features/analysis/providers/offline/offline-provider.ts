import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import pLimit from 'p-limit';
import { Config } from '../../../../platform/config/config.js';
import { AppError } from '../../../../platform/basics/errors/app-error.js';
import type { Turn } from '../../../../platform/basics/concurrency/fair-limiter.js';
import { JobCrash } from '../../../jobs/worker/attempt-outcome.js';
import {
  NICENESS,
  taskLengthOf,
  type TaskLength,
} from '../../../../platform/threads/task-length.js';
import { ThreadPool, ThreadPoolError } from '../../../../platform/threads/thread-pool.js';
import { threadModule } from '../../../../platform/threads/thread-task.js';
import {
  isOfflineGoal,
  OFFLINE_GOALS,
  type AnalysisProvider,
  type EnhanceOutcome,
  type EnhanceRequest,
} from '../analysis-provider.js';
import type {
  AnalysisOutcome,
  AnalysisRequest,
} from '@document-service/text-analysis/analysis-request';
import type { AnalysisTask, AnalysisWork } from './analysis-thread.js';
import type { TextToAnalyze } from '@document-service/text-analysis/engine';
import { OFFLINE_ENGINE } from '@document-service/text-analysis/engine-version';
import { RULE_GOALS } from '@document-service/text-analysis/enhance/goals';
import type { HarperTask } from './harper-thread.js';
import { TextTurns } from './text-turns.js';
import { MAX_SHORT_SEARCH_COST, searchCost } from '@document-service/text-analysis/search-cost';

const IDLE_MS = 10 * 60 * 1000;
/** Enough to keep both threads of a length busy. */
const PIECES_AT_ONCE = 4;
/** Time limit for one task. A task takes a few seconds on an idle CPU. The first one also loads the packages. */
const TASK_LIMIT_MS = 120_000;

/** The threads for tasks of one length, which work on different pieces of a text at the same time. */
interface TaskThreads {
  harper: ThreadPool;
  /** Runs everything except Harper. */
  rules: ThreadPool;
}

/**
 * Rules and dictionaries in threads of this process. With its first text, each length starts one thread for Harper and one
 * for everything else. Texts never leave the machine, and equal texts have equal findings.
 */
@Injectable()
export class OfflineProvider implements AnalysisProvider, OnApplicationShutdown {
  readonly name = 'offline';
  readonly engine = OFFLINE_ENGINE;
  readonly goals = OFFLINE_GOALS;

  private readonly threads: Partial<Record<TaskLength, TaskThreads>> = {};
  private readonly turns = new TextTurns();

  constructor(private readonly config: Config) {}

  /**
   * `forEditor` is for the texts of editors, which are limited. They use the threads for short texts, so that a process for
   * requests loads only those. Texts take turns in pieces: see {@link TextTurns}.
   */
  async analyze(
    request: AnalysisRequest,
    signal: AbortSignal,
    { forEditor = false } = {},
  ): Promise<AnalysisOutcome> {
    const { accountId, isBackground, ...rest } = request;
    const text = { ...rest, isInteractive: forEditor };
    const length = isBackground === true ? 'long' : lengthOfText(text, forEditor);
    return this.turns.run(accountId, text.content.length, (turn) =>
      this.analyzeInPieces(text, { accountId, length, turn }, signal),
    );
  }

  async enhance(request: EnhanceRequest, signal: AbortSignal): Promise<EnhanceOutcome> {
    const modelGoals = request.goals.filter((goal) => !isOfflineGoal(goal));
    if (modelGoals.length > 0) throw needsModel(modelGoals);
    const { accountId, content, format, settings, rules, dismissed } = request;
    const text = { content, format, settings, rules, dismissed, kept: null };
    const result = request.goals.includes('correct')
      ? (await this.analyze({ accountId, ...text }, signal)).result
      : null;
    const goals = RULE_GOALS.filter((goal) => request.goals.includes(goal));
    return this.turns.run(accountId, content.length, (turn) => {
      const owner = { accountId, length: lengthOfText(text), turn };
      return this.run(owner, 'suggest', { text, goals, result }, signal);
    });
  }

  async onApplicationShutdown(): Promise<void> {
    const threads = Object.values(this.threads);
    await Promise.all(threads.flatMap(({ rules, harper }) => [rules.close(), harper.close()]));
  }

  private async analyzeInPieces(
    text: TextToAnalyze,
    owner: TaskOwner,
    signal: AbortSignal,
  ): Promise<AnalysisOutcome> {
    const { pieces, overview } = await this.run(owner, 'plan', { text }, signal);
    const readers = pLimit(PIECES_AT_ONCE);
    const lintsOf = (english: string[]) =>
      readers.map(english, (task) => this.lints(owner, task, signal));
    const found = await pLimit(PIECES_AT_ONCE).map(
      pieces.slice(0, -1),
      async ({ paragraphs, english }) =>
        this.run(owner, 'check', { paragraphs, lints: await lintsOf(english) }, signal),
    );
    const [piece] = pieces.slice(-1);
    const last = piece && { paragraphs: piece.paragraphs, lints: await lintsOf(piece.english) };
    return this.run(owner, 'assemble', { text, overview, found, last }, signal);
  }

  private async run<Kind extends keyof AnalysisWork>(
    owner: TaskOwner,
    kind: Kind,
    input: Parameters<AnalysisWork[Kind]>[0],
    signal: AbortSignal,
  ): Promise<Awaited<ReturnType<AnalysisWork[Kind]>>> {
    type Result = Awaited<ReturnType<AnalysisWork[Kind]>>;
    const task: AnalysisTask = { kind, input, dictionaryFolder: this.config.spellDictionaries };
    return (await runIn(this.threadsOf(owner.length).rules, owner, task, signal)) as Result;
  }

  private async lints(owner: TaskOwner, english: string, signal: AbortSignal): Promise<string> {
    const task: HarperTask = { english };
    return (await runIn(this.threadsOf(owner.length).harper, owner, task, signal)) as string;
  }

  private threadsOf(length: TaskLength): TaskThreads {
    return (this.threads[length] ??= {
      rules: threadOf('analysis-thread', 512, length),
      harper: threadOf('harper-thread', 128, length),
    });
  }
}

/** The account of a task, the length whose threads run it, and the turn of its text. */
interface TaskOwner {
  accountId: string;
  length: TaskLength;
  turn: Turn;
}

/**
 * Returns the length of a text's tasks: long if the account has many style rules. Otherwise texts of editors are short, and
 * others depend on their size.
 */
function lengthOfText(
  { content, rules }: Pick<AnalysisRequest, 'content' | 'rules'>,
  forEditor = false,
): TaskLength {
  if (searchCost(rules.styleRules) > MAX_SHORT_SEARCH_COST) return 'long';
  return forEditor ? 'short' : taskLengthOf(Buffer.byteLength(content));
}

function threadOf(module: string, maxOldGenerationSizeMb: number, length: TaskLength): ThreadPool {
  return new ThreadPool({
    ...threadModule(import.meta.url, module),
    threads: 1,
    niceness: NICENESS[length],
    maxWaiting: 10_000,
    maxOfOwner: 5_000,
    timeLimitMs: TASK_LIMIT_MS,
    waitLimitMs: 10 * 60 * 1000,
    idleMs: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb, maxYoungGenerationSizeMb: 16 },
  });
}

async function runIn(
  pool: ThreadPool,
  { accountId, length, turn }: TaskOwner,
  task: AnalysisTask | HarperTask,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    // The next short text needs the dictionaries of the thread, and short tasks end soon.
    const result = await pool.run(accountId, task, {
      signal,
      turn,
      keepsThread: length === 'short',
    });
    signal.throwIfAborted();
    return result;
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof ThreadPoolError ? asCrash(error) : error;
  }
}

/** Error for goals that the offline engine does not support. */
export function needsModel(goals: readonly string[]): AppError {
  const verb = goals.length === 1 ? 'needs' : 'need';
  return new AppError(
    'bad_request',
    `Without a language model, only the goals ${OFFLINE_GOALS.join(', ')} work; ${goals.join(', ')} ${verb} a model. Ask the operator to configure one (AI_BASE_URL), then select it with PATCH /v1/analysis-settings.`,
    { goals: [...goals], provider: 'offline' },
  );
}

/** Returns a job crash if the text harmed its thread, and the error itself if the task never started. */
function asCrash(error: ThreadPoolError): Error {
  switch (error.failure) {
    case 'timed out': {
      const seconds = String(TASK_LIMIT_MS / 1000);
      return new JobCrash(`took longer than ${seconds} s for one piece of the text`, {
        cause: error,
      });
    }
    case 'out of memory':
      return new JobCrash('ran out of memory', { cause: error });
    case 'crashed':
      return new JobCrash('crashed its thread', { cause: error });
    case 'overloaded':
    case 'aborted':
    case 'closed':
      return error;
  }
}
