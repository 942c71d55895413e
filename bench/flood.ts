import { randomBytes } from 'node:crypto';
import { generateApiKey } from '../src/features/access/auth/api-keys/api-key.js';
import { LoadProcess } from './load/load-process.js';
import type { LoadRequest, LoadResult, PacedJob } from './load/messages.js';
import { countFailures } from './load/messages.js';
import type { BenchOptions } from './options.js';
import type { Participant } from './participant.js';
import type { FloodResult } from './results.js';
import { readRandomDocuments } from './scenarios.js';
import { median } from './statistics.js';

/** p99 of good clients during the flood, divided by their p99 without it. */
export const FLOOD_GOAL = 2;

const GOOD_CONNECTIONS = 8;
const GOOD_PER_SECOND = 400;
const FLOOD_CONNECTIONS = 50;
const FLOOD_PER_SECOND = 1_000;
const WARM_UP_SECONDS = 1;

/**
 * Good clients read documents at a moderate rate, alternately alone and during 1,000 bad keys per second (half malformed,
 * half well-formed but unknown). Returns medians over the rounds.
 */
export async function measureFlood(
  service: Participant,
  load: LoadProcess,
  options: BenchOptions,
): Promise<FloodResult> {
  const { origin } = service.server;
  const seconds = options.seconds;
  const good: PacedJob = {
    kind: 'paced',
    origin,
    headers: { Authorization: `Bearer ${service.key}` },
    requests: await readRandomDocuments(service, 1_000),
    connections: GOOD_CONNECTIONS,
    perSecond: GOOD_PER_SECOND,
    seconds,
  };
  const flooder = new LoadProcess();
  const rounds: { alone: LoadResult; beside: LoadResult; flood: LoadResult }[] = [];
  try {
    await load.run({ ...good, seconds: WARM_UP_SECONDS });
    for (let round = 0; round < options.rounds; round += 1) {
      const alone = await load.run(good);
      const flooding = flooder.run(floodOf(origin, seconds + 2 * WARM_UP_SECONDS));
      await load.run({ ...good, seconds: WARM_UP_SECONDS });
      const beside = await load.run(good);
      rounds.push({ alone, beside, flood: await flooding });
    }
  } finally {
    await flooder.stop();
  }
  const alone = merge(rounds.map((round) => round.alone));
  const beside = merge(rounds.map((round) => round.beside));
  const flood = merge(rounds.map((round) => round.flood));
  return { participant: service.label, alone, beside, flood, factor: beside.p99 / alone.p99 };
}

/** Returns reasons why a flood's figures do not count, one sentence each. */
export function findFloodProblems({ participant, alone, beside, flood }: FloodResult): string[] {
  const refused = (flood.statuses['401'] ?? 0) + (flood.statuses['429'] ?? 0);
  const others = countFailures(flood) - refused + (flood.statuses['200'] ?? 0);
  const goodFailures = countFailures(alone) + countFailures(beside);
  const checks: [boolean, string][] = [
    [goodFailures === 0, `${String(goodFailures)} requests of good clients failed.`],
    [others === 0, `${String(others)} bad keys got a response other than 401 or 429.`],
    [
      flood.requestsPerSecond > 0.95 * FLOOD_PER_SECOND,
      `the flood reached only ${flood.requestsPerSecond.toFixed(0)} requests/s.`,
    ],
  ];
  return checks.filter(([holds]) => !holds).map(([, words]) => `${participant}, flood: ${words}`);
}

function floodOf(origin: string, seconds: number): PacedJob {
  const requests = Array.from({ length: FLOOD_PER_SECOND * seconds }, (_, index): LoadRequest => {
    const key = index % 2 === 0 ? generateApiKey() : randomBytes(24).toString('base64url');
    const headers = { Authorization: `Bearer ${key}` };
    return { method: 'GET', path: '/v1/documents', headers };
  });
  const pace = { connections: FLOOD_CONNECTIONS, perSecond: FLOOD_PER_SECOND, seconds };
  return { kind: 'paced', origin, headers: {}, requests, ...pace };
}

function merge(rounds: LoadResult[]): LoadResult {
  const statuses: Record<string, number> = {};
  for (const [status, count] of rounds.flatMap((round) => Object.entries(round.statuses))) {
    statuses[status] = (statuses[status] ?? 0) + count;
  }
  return {
    requestsPerSecond: median(rounds.map((round) => round.requestsPerSecond)),
    p50: median(rounds.map((round) => round.p50)),
    p99: median(rounds.map((round) => round.p99)),
    statuses,
    errors: rounds.reduce((sum, round) => sum + round.errors, 0),
  };
}
