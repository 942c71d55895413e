/**
 * Short and long tasks have separate threads, so that a short text never waits for a long one
 * (docs/adr/0022-text-analysis-and-suggestions.md).
 */
export type TaskLength = 'short' | 'long';

/** Maximum UTF-8 bytes of a short text: about 5,000 English words. */
const SHORT_TEXT_BYTES = 32 * 1024;

/**
 * Linux niceness of threads. Requests run at 0. Under full load a thread for short tasks gets about a third of the
 * processor time of a request, and a thread for long tasks a third of that.
 */
export const NICENESS: Readonly<Record<TaskLength, number>> = { short: 5, long: 10 };

export function taskLengthOf(bytes: number): TaskLength {
  return bytes > SHORT_TEXT_BYTES ? 'long' : 'short';
}
