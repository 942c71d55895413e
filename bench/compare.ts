import type { LoadProcess } from './load/load-process.js';
import type { LoadResult } from './load/messages.js';
import { countFailures } from './load/messages.js';
import { withPeakMemory } from './memory.js';
import type { BenchOptions } from './options.js';
import type { Participant } from './participant.js';
import type { Comparison, Measurement } from './results.js';
import type { Scenario } from './scenarios.js';
import { median } from './statistics.js';

const CONNECTIONS = 32;

export interface ComparisonSetting {
  options: BenchOptions;
  load: LoadProcess;
  services: Participant[];
  baseline: Participant;
  documents: number;
  /** Receives the resident memory of a process under load, in MB. */
  noteMemory: (participant: Participant, peak: number) => void;
}

/** Loads all participants in turn, round by round. Returns one comparison for each service. */
export async function compare(
  scenario: Scenario,
  setting: ComparisonSetting,
): Promise<Comparison[]> {
  const { options, services, baseline, documents } = setting;
  const legs = new Map<Participant, LoadResult[]>();
  for (const participant of [...services, baseline]) {
    legs.set(participant, []);
  }
  for (let round = 0; round < options.rounds; round += 1) {
    for (const [participant, results] of legs) {
      const { result, peak } = await withPeakMemory(participant.server.pid, () =>
        setting.load.run({
          kind: 'saturating',
          origin: participant.server.origin,
          headers: { Authorization: `Bearer ${participant.key}` },
          requests: scenario.requests,
          connections: CONNECTIONS,
          warmUpSeconds: options.warmUpSeconds,
          seconds: options.seconds,
        }),
      );
      results.push(result);
      setting.noteMemory(participant, peak);
      participant.server.emptyLog();
    }
  }
  const beside = summarize(baseline, legs);
  return services.map((participant) => {
    const service = summarize(participant, legs);
    const ratio = service.requestsPerSecond / beside.requestsPerSecond;
    const goal = options.baselineTwice ? undefined : scenario.goal(documents);
    const reached = goal === undefined ? undefined : ratio >= goal;
    const { name, title } = scenario;
    return { scenario: name, title, documents, service, baseline: beside, ratio, goal, reached };
  });
}

function summarize(participant: Participant, legs: Map<Participant, LoadResult[]>): Measurement {
  const rounds = legs.get(participant) ?? [];
  return {
    participant: participant.label,
    rounds,
    requestsPerSecond: median(rounds.map((round) => round.requestsPerSecond)),
    p50: median(rounds.map((round) => round.p50)),
    p99: median(rounds.map((round) => round.p99)),
    failures: rounds.reduce((sum, round) => sum + countFailures(round), 0),
  };
}
