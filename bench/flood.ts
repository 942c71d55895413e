import { randomBytes } from 'node:crypto';
import { generateApiKey } from '../src/features/access/auth/api-keys/api-key.js';
import type { LoadResult, PacedJob } from './load/messages.js';
import { countFailures } from './load/messages.js';
import { withLoad, type Run } from './ordinary/measure.js';
import type { Side } from './ordinary/sides.js';
import { openSide } from './ordinary/sides.js';
import { figureTable } from './report.js';
import type { BenchContext, ScenarioResult } from './results.js';
import { median } from './statistics.js';

/** p99 of good clients during the flood, divided by their p99 without it. */
const GOAL = 2;

const DOCUMENTS = 1_000;
const GOOD = { connections: 8, perSecond: 400 };
const FLOOD = { connections: 50, perSecond: 1_000 };
const WARM_UP_SECONDS = 1;

interface Round {
  alone: LoadResult;
  beside: LoadResult;
  flood: LoadResult;
}

/**
 * Good clients read documents at a moderate rate, alternately alone and during 1,000 bad keys per second (half malformed,
 * half well-formed but unknown).
 */
export async function measureFlood(context: BenchContext): Promise<ScenarioResult> {
  context.say('good clients during a flood of bad keys');
  const bed = { ...context, accounts: 1, documents: DOCUMENTS, seed: context.options.seed };
  const side = await openSide(bed, context.options.variants[0], 'bench_flood');
  const rounds = await withLoad(context, (run) => measureRounds(side, run));
  await side.close();
  context.problems.push(...rounds.flatMap(findProblems));
  const p99 = (name: keyof Round): number => median(rounds.map((round) => round[name].p99));
  const [alone, beside] = [p99('alone'), p99('beside')];
  const name =
    `p99 of good clients beside a flood of bad keys (${beside.toFixed(1)} ms), ` +
    `compared with that without it (${alone.toFixed(1)} ms)`;
  const figures = [{ name, value: beside / alone, unit: '×', goal: GOAL }];
  return { text: figureTable(figures), data: { figures, rounds } };
}

async function measureRounds(side: Side, { options, load, secondLoad }: Run): Promise<Round[]> {
  const { origin } = side.server;
  const { seconds } = options;
  const [{ key, ids } = { key: '', ids: [] }] = side.tenants;
  const requests = ids.map((id) => ({ path: `/v1/documents/${id}`, key }));
  const good: PacedJob = { kind: 'paced', origin, requests, ...GOOD, seconds };
  const warmUp = { ...good, seconds: WARM_UP_SECONDS };
  const rounds: Round[] = [];
  await load.run(warmUp);
  for (let round = 0; round < options.rounds; round += 1) {
    const alone = await load.run(good);
    const flooding = secondLoad.run(floodOf(origin, seconds + 2 * WARM_UP_SECONDS));
    await load.run(warmUp);
    const beside = await load.run(good);
    rounds.push({ alone, beside, flood: await flooding });
  }
  return rounds;
}

/** Returns reasons why a round's figures do not count, one sentence each. */
function findProblems({ alone, beside, flood }: Round): string[] {
  const refused = (flood.statuses['401'] ?? 0) + (flood.statuses['429'] ?? 0);
  const others = countFailures(flood) - refused + (flood.statuses['200'] ?? 0);
  const goodFailures = countFailures(alone) + countFailures(beside);
  const checks: [boolean, string][] = [
    [goodFailures === 0, `${String(goodFailures)} requests of good clients failed.`],
    [others === 0, `${String(others)} bad keys got a response other than 401 or 429.`],
    [
      flood.requestsPerSecond > 0.95 * FLOOD.perSecond,
      `the flood reached only ${flood.requestsPerSecond.toFixed(0)} requests/s.`,
    ],
  ];
  return checks.filter(([holds]) => !holds).map(([, words]) => `flood: ${words}`);
}

function floodOf(origin: string, seconds: number): PacedJob {
  const requests = Array.from({ length: FLOOD.perSecond * seconds }, (_, index) => ({
    path: '/v1/documents',
    key: index % 2 === 0 ? generateApiKey() : randomBytes(24).toString('base64url'),
  }));
  return { kind: 'paced', origin, requests, ...FLOOD, seconds };
}
