import type { BenchOptions } from './options.js';
import type { PostgresServer } from './postgres.js';

/** What every scenario gets. */
export interface BenchContext {
  postgres: PostgresServer;
  /** For logs and other files. Deleted at the end. */
  folder: string;
  options: BenchOptions;
  say: (words: string) => void;
  /** Receives reasons not to trust the figures, one sentence each. */
  problems: string[];
}

/** What every scenario returns. */
export interface ScenarioResult {
  /** Markdown. */
  text: string;
  /** Everything that was measured, for the JSON report. */
  data: object;
}

/** A measured load on one side. */
export interface Leg {
  requestsPerSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** p99 of the requests of all accounts but the first tenth. */
  p99OfSmall: number;
  /** Microseconds of CPU time per request. */
  node: number;
  postgres: number;
  worker: number;
  /** Peak of the server in MB. */
  memory: number;
}

/** One side of a comparison, with medians of its rounds and the peak of memory. */
export interface Measurement extends Leg {
  label: string;
  rounds: Leg[];
}

/** A figure with its goal. */
export interface Figure {
  name: string;
  /** The build of the service, if there are several. */
  side?: string;
  value: number;
  unit: string;
  goal: number;
  /** True if the goal is a minimum. */
  atLeast?: boolean;
}
