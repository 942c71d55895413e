/**
 * Short and long texts have separate threads, so that a short text never waits for a long one
 * (docs/adr/0022-text-analysis-and-suggestions.md).
 */
export type Lane = 'short' | 'long';

/** Maximum UTF-8 bytes of a short text: about 5,000 English words. */
const SHORT_TEXT_BYTES = 32 * 1024;

/**
 * Linux niceness of the threads of each lane. Requests run at 0. Under full load a thread of the short lane gets about
 * a third of the processor time of a request, and a thread of the long lane a third of that.
 */
export const LANE_NICENESS: Readonly<Record<Lane, number>> = { short: 5, long: 10 };

export function laneOf(bytes: number): Lane {
  return bytes > SHORT_TEXT_BYTES ? 'long' : 'short';
}
