import type { Segment } from './inline-content.js';

/** Returns the position of an offset, or undefined if no segment contains it. */
export function positionOf(
  segments: readonly Segment[],
  offset: number,
  side: -1 | 1,
): number | undefined {
  const segment = segmentAt(segments, offset, side, 'source');
  if (!segment) return undefined;
  const inside = offset - segment.offset;
  if (segment.length === segment.sourceLength) return segment.position + inside;
  const isStart = inside === 0 || (inside < segment.sourceLength && side === -1);
  return segment.position + (isStart ? 0 : segment.length);
}

/** Returns the offset of a position. A position outside of all text has the offset of the text before it. */
export function offsetOf(segments: readonly Segment[], position: number, side: -1 | 1): number {
  const segment = segmentAt(segments, position, side, 'node');
  if (segment) {
    const inside = position - segment.position;
    if (inside === 0) return segment.offset;
    if (inside === segment.length) return segment.offset + segment.sourceLength;
    return segment.offset + Math.min(inside, segment.sourceLength);
  }
  const before = segments[lastAtOrBefore(segments, position, 'node')];
  return before ? before.offset + before.sourceLength : (segments[0]?.offset ?? 0);
}

type Space = 'source' | 'node';

function startIn(segment: Segment, space: Space): number {
  return space === 'source' ? segment.offset : segment.position;
}

function endIn(segment: Segment, space: Space): number {
  return space === 'source'
    ? segment.offset + segment.sourceLength
    : segment.position + segment.length;
}

/** Returns the segment that contains a place. Where two touch, the one before (`side` -1) or after it. */
function segmentAt(
  segments: readonly Segment[],
  place: number,
  side: -1 | 1,
  space: Space,
): Segment | undefined {
  const index = lastAtOrBefore(segments, place, space);
  const [last, previous] = [segments[index], segments[index - 1]];
  if (!last || endIn(last, space) < place) return undefined;
  const touches = startIn(last, space) === place && previous && endIn(previous, space) === place;
  return touches && side === -1 ? previous : last;
}

function lastAtOrBefore(segments: readonly Segment[], place: number, space: Space): number {
  let [low, high] = [0, segments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const segment = segments[middle];
    if (segment && startIn(segment, space) <= place) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
