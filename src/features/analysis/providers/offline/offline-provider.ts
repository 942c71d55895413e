import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../../../../platform/config/config.js';
import { AppError } from '../../../../platform/basics/errors/app-error.js';
import { JobCrash } from '../../../jobs/worker/attempt-outcome.js';
import { LANE_NICENESS, laneOf, type Lane } from '../../../../platform/threads/lanes.js';
import { ThreadPool, ThreadPoolError } from '../../../../platform/threads/thread-pool.js';
import { threadModule } from '../../../../platform/threads/thread-task.js';
import type { AnalysisProvider, EnhanceOutcome, EnhanceRequest } from '../analysis-provider.js';
import type {
  AnalysisOutcome,
  AnalysisRequest,
} from '@document-service/text-analysis/analysis-request';
import type { AnalysisTask, AnalysisWork } from './analysis-thread.js';
import { OFFLINE_ENGINE } from '@document-service/text-analysis/engine-version';
import type { HarperTask } from './harper-thread.js';
import { MAX_SHORT_SEARCH_COST, searchCost } from '@document-service/text-analysis/search-cost';

const IDLE_MS = 10 * 60 * 1000;
/** For one task: some seconds at most on a processor of its own. The first one loads the packages. */
const TASK_LIMIT_MS = 120_000;

/** The threads of one lane. While Harper reads one piece of a text, the other thread checks another piece. */
interface LaneThreads {
  harper: ThreadPool;
  /** Everything but Harper. */
  rules: ThreadPool;
}

/**
 * Rules and dictionaries, in threads of this process: each lane has one thread for Harper and one for everything else, and
 * starts them with its first text. Nothing leaves the machine, and the same text has the same findings.
 */
@Injectable()
export class OfflineProvider implements AnalysisProvider, OnApplicationShutdown {
  readonly name = 'offline';
  readonly engine = OFFLINE_ENGINE;
  readonly goals = ['correct'] as const;

  private readonly lanes: Partial<Record<Lane, LaneThreads>> = {};

  constructor(private readonly config: Config) {}

  async analyze(request: AnalysisRequest, signal: AbortSignal): Promise<AnalysisOutcome> {
    const { accountId, isBackground, ...text } = request;
    const owner = { accountId, lane: isBackground === true ? 'long' : laneOfText(text) } as const;
    const { pieces, overview } = await this.run(owner, 'plan', { text }, signal);
    const found = await Promise.all(
      pieces.map(async ({ paragraphs, english }) => {
        const lints = english === null ? null : await this.lints(owner, english, signal);
        return this.run(owner, 'check', { paragraphs, lints }, signal);
      }),
    );
    return this.run(owner, 'assemble', { text, overview, found }, signal);
  }

  async enhance(request: EnhanceRequest, signal: AbortSignal): Promise<EnhanceOutcome> {
    const beyond = request.goals.filter((goal) => goal !== 'correct');
    if (beyond.length > 0) throw needsModel(beyond);
    const { result } = await this.analyze({ ...request, kept: null }, signal);
    const owner = { accountId: request.accountId, lane: laneOfText(request) };
    return this.run(owner, 'suggest', { result }, signal);
  }

  async onApplicationShutdown(): Promise<void> {
    const threads = Object.values(this.lanes);
    await Promise.all(threads.flatMap(({ rules, harper }) => [rules.close(), harper.close()]));
  }

  private async run<Kind extends keyof AnalysisWork>(
    { accountId, lane }: TaskOwner,
    kind: Kind,
    input: Parameters<AnalysisWork[Kind]>[0],
    signal: AbortSignal,
  ): Promise<Awaited<ReturnType<AnalysisWork[Kind]>>> {
    type Result = Awaited<ReturnType<AnalysisWork[Kind]>>;
    const task: AnalysisTask = { kind, input, dictionaryFolder: this.config.spellDictionaries };
    return (await result(this.threadsOf(lane).rules, accountId, task, signal)) as Result;
  }

  private async lints(
    { accountId, lane }: TaskOwner,
    english: string,
    signal: AbortSignal,
  ): Promise<string> {
    const task: HarperTask = { english };
    return (await result(this.threadsOf(lane).harper, accountId, task, signal)) as string;
  }

  private threadsOf(lane: Lane): LaneThreads {
    return (this.lanes[lane] ??= {
      rules: threadOf('analysis-thread', 512, lane),
      harper: threadOf('harper-thread', 128, lane),
    });
  }
}

/** Whose task it is, and which threads do it. */
interface TaskOwner {
  accountId: string;
  lane: Lane;
}

/** A short text is long work where many house rules are searched for. */
function laneOfText({ content, rules }: Pick<AnalysisRequest, 'content' | 'rules'>): Lane {
  return searchCost(rules.styleRules) > MAX_SHORT_SEARCH_COST
    ? 'long'
    : laneOf(Buffer.byteLength(content));
}

function threadOf(module: string, maxOldGenerationSizeMb: number, lane: Lane): ThreadPool {
  return new ThreadPool({
    ...threadModule(import.meta.url, module),
    threads: 1,
    niceness: LANE_NICENESS[lane],
    maxWaiting: 10_000,
    maxOfOwner: 5_000,
    timeLimitMs: TASK_LIMIT_MS,
    waitLimitMs: 10 * 60 * 1000,
    idleMs: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb, maxYoungGenerationSizeMb: 16 },
  });
}

async function result(
  pool: ThreadPool,
  accountId: string,
  task: AnalysisTask | HarperTask,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    return await pool.run(accountId, task, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof ThreadPoolError ? asCrash(error) : error;
  }
}

/** The answer to goals that the offline engine does not have. */
export function needsModel(goals: readonly string[]): AppError {
  return new AppError(
    'bad_request',
    `The offline engine can only correct; ${goals.join(', ')} needs a model. Ask the operator to configure one (AI_BASE_URL), and choose it by PATCH /v1/analysis-settings.`,
    { goals: [...goals], provider: 'offline' },
  );
}

/** What a text did to its thread counts as a crash of its job; that it was never begun does not. */
function asCrash(error: ThreadPoolError): Error {
  switch (error.failure) {
    case 'timed out':
      return new JobCrash(
        `took longer than ${String(TASK_LIMIT_MS / 1000)} s for a piece of the text`,
        { cause: error },
      );
    case 'out of memory':
      return new JobCrash('ran out of memory', { cause: error });
    case 'crashed':
      return new JobCrash('ended its thread', { cause: error });
    case 'overloaded':
    case 'aborted':
    case 'closed':
      return error;
  }
}
