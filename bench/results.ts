import type { LoadResult } from './load/messages.js';
import type { ScenarioName } from './options.js';
import type { LineName } from './ordinary/traffic.js';

/** One participant in one scenario at one size: all rounds and their medians. */
export interface Measurement {
  participant: string;
  rounds: LoadResult[];
  requestsPerSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  failures: number;
}

/** One line of the report: a service beside the baseline. */
export interface Comparison {
  scenario: ScenarioName;
  title: string;
  documents: number;
  service: Measurement;
  baseline: Measurement;
  /** Requests/s of the service over the baseline's (medians). */
  ratio: number;
  goal: number | undefined;
  reached: boolean | undefined;
}

/** One side on one line of ordinary traffic: medians of its rounds. */
export interface OrdinaryMeasurement {
  participant: string;
  requestsPerSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Processor time for one request: of the API, of PostgreSQL, of the worker, and of the load itself. */
  microseconds: { api: number; postgres: number; worker: number; load: number };
  failures: number;
}

/** One line of ordinary traffic: a service beside the baseline. */
export interface OrdinaryLine {
  name: LineName;
  title: string;
  service: OrdinaryMeasurement;
  baseline: OrdinaryMeasurement;
  /** Requests/s of the service over the baseline's (medians). */
  ratio: number;
  ratioGoal: number | undefined;
  /** Most microseconds of the API for one request. */
  apiGoal: number | undefined;
}

/** Good clients alone, and beside a flood of bad keys. */
export interface FloodResult {
  participant: string;
  alone: LoadResult;
  beside: LoadResult;
  flood: LoadResult;
  /** p99 beside the flood over p99 alone. */
  factor: number;
}

/** A single figure with its goal: memory in MB, start in milliseconds, the flood's factor. */
export interface Figure {
  name: string;
  participant: string;
  value: number;
  unit: string;
  goal: number;
  /** Whether the goal is the least, not the most. */
  atLeast?: boolean;
  reached: boolean;
}

/** Milliseconds. */
export interface Latency {
  p50: number;
  p99: number;
}

/** One kind of list on a small and a large account. */
export interface ListLatencies {
  name: string;
  small: Latency;
  large: Latency;
  /** p50 of the large account over the one of the small account. */
  ratio: number;
  reached: boolean;
}

/** Everything a run has found. */
export interface BenchResults {
  ordinary: OrdinaryLine[];
  comparisons: Comparison[];
  figures: Figure[];
  floods: FloodResult[];
  lists: ListLatencies[];
  /** Reasons not to believe the figures, one sentence each. */
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
