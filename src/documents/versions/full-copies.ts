/** Deltas between two full copies: what reading the oldest of them may cost. */
const MAX_DELTAS = 2_000;

/**
 * Whether a version is to be kept as a full copy and not as a delta: as soon as the deltas since the last full copy, this
 * one included, add up to more bytes than the text itself, or are too many to be read at once.
 */
export function shouldKeepFullCopy(
  textBytes: number,
  deltas: { count: number; bytes: number },
): boolean {
  return deltas.bytes > textBytes || deltas.count > MAX_DELTAS;
}
