import { checkAnswers, checkBurdens } from './answers.js';
import { compare } from './compare.js';
import { findFloodProblems, FLOOD_GOAL, measureFlood } from './flood.js';
import type { LoadProcess } from './load/load-process.js';
import type { BenchOptions } from './options.js';
import type { BenchResults } from './results.js';
import { limitFigure } from './results.js';
import type { Scenario } from './scenarios.js';
import { SCENARIOS } from './scenarios.js';
import type { TestBed } from './test-bed.js';

/** One size of the account, and everything needed to measure it. */
export interface SizeRun {
  documents: number;
  bed: TestBed;
  load: LoadProcess;
  options: BenchOptions;
  /** Only true for the first size, because once is enough. */
  withFlood: boolean;
  /** Peak memory under load by label of the participant, in MB. Updated by each measurement. */
  peaks: Map<string, number>;
  say: (words: string) => void;
}

/** Checks the responses, runs the scenarios, and adds the results to `results`. */
export async function measureSize(run: SizeRun, results: BenchResults): Promise<void> {
  const { bed, documents, options, withFlood } = run;
  for (const participant of [...bed.services, bed.baseline]) {
    results.problems.push(...(await checkAnswers(participant, documents)));
  }
  if (!options.baselineTwice) {
    for (const service of bed.services) results.problems.push(...(await checkBurdens(service)));
  }
  for (const scenario of SCENARIOS) {
    if (options.scenarios.includes(scenario.name)) await compareSides(scenario, run, results);
  }
  if (withFlood) await floodServices(run, results);
}

async function compareSides(
  scenario: Scenario,
  run: SizeRun,
  results: BenchResults,
): Promise<void> {
  const { bed, documents, load, options, peaks, say } = run;
  say(`${documents.toLocaleString('en')} documents: ${scenario.title}`);
  const comparisons = await compare(scenario, {
    options,
    load,
    documents,
    services: bed.services,
    baseline: bed.baseline,
    noteMemory: ({ label }, peak) => peaks.set(label, Math.max(peak, peaks.get(label) ?? 0)),
  });
  for (const { title, service, baseline } of comparisons) {
    for (const { participant, failures } of [service, baseline]) {
      if (failures === 0) continue;
      const where = `${participant}, ${title} at ${String(documents)} documents`;
      results.problems.push(`${where}: ${String(failures)} requests failed or were refused.`);
    }
  }
  results.comparisons.push(...comparisons);
}

async function floodServices(
  { bed, load, options, say }: SizeRun,
  results: BenchResults,
): Promise<void> {
  for (const service of bed.services) {
    say(`good clients during a flood of bad keys: ${service.label}`);
    const flood = await measureFlood(service, load, options);
    results.floods.push(flood);
    results.problems.push(...findFloodProblems(flood));
    if (options.baselineTwice) continue;
    const figure = { name: 'p99 beside a flood', participant: service.label, unit: '×' };
    results.figures.push(limitFigure({ ...figure, value: flood.factor, goal: FLOOD_GOAL }));
  }
}
