import { sampleDocuments } from './documents.js';
import type { LoadProcess } from './load/load-process.js';
import type { LoadRequest } from './load/messages.js';
import { countFailures } from './load/messages.js';
import type { BenchOptions } from './options.js';
import type { Participant } from './participant.js';
import { createDocuments, readRandomDocuments } from './scenarios.js';
import { median } from './statistics.js';

/** What a change may cost, in creates. */
export const CHANGE_GOAL = 1.5;

const CONNECTIONS = 32;
const CHANGED_DOCUMENTS = 1_000;
const BODIES_A_DOCUMENT = 4;

export interface ChangeResult {
  /** Creates a second over changes a second (medians): what one change costs, in creates. */
  cost: number;
  failures: number;
}

/** PATCHes of title and content beside creates of the same size, in turn. */
export async function measureChange(
  service: Participant,
  load: LoadProcess,
  options: BenchOptions,
): Promise<ChangeResult> {
  const shoot = (requests: LoadRequest[]) =>
    load.run({
      kind: 'saturating',
      origin: service.server.origin,
      headers: { Authorization: `Bearer ${service.key}` },
      requests,
      connections: CONNECTIONS,
      warmUpSeconds: options.warmUpSeconds,
      seconds: options.seconds,
    });
  const [creates, changes] = [await createDocuments(), await changeDocuments(service)];
  const rates = { create: [] as number[], change: [] as number[] };
  let failures = 0;
  for (let round = 0; round < options.rounds; round += 1) {
    const [create, change] = [await shoot(creates), await shoot(changes)];
    rates.create.push(create.requestsPerSecond);
    rates.change.push(change.requestsPerSecond);
    failures += countFailures(create) + countFailures(change);
  }
  return { cost: median(rates.create) / median(rates.change), failures };
}

/** Several bodies for each document, drawn at random: a request seldom finds the document as it wants it. */
async function changeDocuments(service: Participant): Promise<LoadRequest[]> {
  const reads = await readRandomDocuments(service, CHANGED_DOCUMENTS);
  const samples = sampleDocuments(reads.length * BODIES_A_DOCUMENT);
  return samples.map(({ title, content }, index): LoadRequest => {
    const path = reads[index % reads.length]?.path ?? '';
    const headers = { 'Content-Type': 'application/json' };
    return { method: 'PATCH', path, body: JSON.stringify({ title, content }), headers };
  });
}
