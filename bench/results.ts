import type { LoadResult } from './load/messages.js';
import type { ScenarioName } from './options.js';
import type { LineName } from './ordinary/traffic.js';

/** One participant in one scenario at one size, with all rounds and their medians. */
export interface Measurement {
  participant: string;
  rounds: LoadResult[];
  requestsPerSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  failures: number;
}

/** A line of the report: a service compared with the baseline. */
export interface Comparison {
  scenario: ScenarioName;
  title: string;
  documents: number;
  service: Measurement;
  baseline: Measurement;
  /** Requests/s of the service divided by those of the baseline (medians). */
  ratio: number;
  goal: number | undefined;
  reached: boolean | undefined;
}

/** One side on one line of ordinary traffic, with medians of its rounds. */
export interface OrdinaryMeasurement {
  participant: string;
  requestsPerSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** CPU time per request of the API, PostgreSQL, the worker, and the load process. */
  microseconds: { api: number; postgres: number; worker: number; load: number };
  failures: number;
}

/** A line of ordinary traffic: a service compared with the baseline. */
export interface OrdinaryLine {
  name: LineName;
  title: string;
  service: OrdinaryMeasurement;
  baseline: OrdinaryMeasurement;
  /** Requests/s of the service divided by those of the baseline (medians). */
  ratio: number;
  ratioGoal: number | undefined;
  /** Maximum microseconds of the API per request. */
  apiGoal: number | undefined;
}

/** Good clients alone, and during a flood of bad keys. */
export interface FloodResult {
  participant: string;
  alone: LoadResult;
  beside: LoadResult;
  flood: LoadResult;
  /** p99 during the flood divided by p99 alone. */
  factor: number;
}

/** A figure with its goal: memory in MB, start in milliseconds, the flood's factor. */
export interface Figure {
  name: string;
  participant: string;
  value: number;
  unit: string;
  goal: number;
  /** True if the goal is a minimum. */
  atLeast?: boolean;
  reached: boolean;
}

/** Milliseconds. */
export interface Latency {
  p50: number;
  p99: number;
}

/** A kind of list on a small and a large account. */
export interface ListLatencies {
  name: string;
  small: Latency;
  large: Latency;
  /** p50 of the large account divided by that of the small account. */
  ratio: number;
  reached: boolean;
}

/** All results of a run. */
export interface BenchResults {
  ordinary: OrdinaryLine[];
  comparisons: Comparison[];
  figures: Figure[];
  floods: FloodResult[];
  lists: ListLatencies[];
  /** Reasons not to trust the figures, one sentence each. */
  problems: string[];
}

/** A figure that must not exceed its goal. */
export function limitFigure(figure: Omit<Figure, 'reached'>): Figure {
  return { ...figure, reached: figure.value <= figure.goal };
}

/** A figure that must reach its goal. */
export function floorFigure(figure: Omit<Figure, 'reached' | 'atLeast'>): Figure {
  return { ...figure, atLeast: true, reached: figure.value >= figure.goal };
}
