import type { TextRange } from '../analysis.js';
import { isLowSurrogate, type MaskedRange, type Paragraph } from './prose.js';

/**
 * A paragraph as read aloud: without markers, emoji and invisible characters, with a noun for code, spaces for line
 * breaks, and composed letters. Rules search this text, and their findings are mapped back exactly.
 */
export interface Reading {
  text: string;
  /** Returns the range of the paragraph for a range of the reading, or null if it touches a mask. */
  sourceOf(start: number, end: number): TextRange | null;
  /** Returns true if a character of the reading stands for a masked passage. */
  isMasked(at: number): boolean;
}

/** Soft hyphens, joiners, direction marks and variation selectors. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|\ufeff|\u20e3/u;
const INVISIBLES = new RegExp(INVISIBLE, 'gu');
/** Emoji, flags and skin tones. */
const PICTURE = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\p{Emoji_Modifier}/u;

export function readingOf(paragraph: Pick<Paragraph, 'prose' | 'masked'>): Reading {
  const { prose, masked } = paragraph;
  const parts: string[] = [];
  const from: number[] = [];
  const to: number[] = [];
  const hidden: boolean[] = [];
  const add = (heard: string, range: TextRange, isMasked: boolean) => {
    parts.push(heard);
    for (let unit = 0; unit < heard.length; unit += 1) {
      from.push(range.start);
      to.push(range.end);
      hidden.push(isMasked);
    }
  };
  let at = 0;
  let nextMask = 0;
  while (at < prose.length) {
    const mask = masked[nextMask];
    if (mask?.start === at) {
      add(mask.reads, mask, true);
      at = mask.end;
      nextMask += 1;
      continue;
    }
    const end = clusterEnd(prose, at, mask?.start ?? prose.length);
    const cluster = prose.slice(at, end);
    add(heardOf(cluster), { start: at, end }, false);
    at = end;
  }
  const text = parts.join('');
  return {
    text,
    isMasked: (index) => hidden[index] ?? false,
    sourceOf(start, end) {
      if (start >= end) {
        const place = start < from.length ? from[start] : prose.length;
        return place === undefined ? null : { start: place, end: place };
      }
      const range = { start: from[start] ?? 0, end: to[end - 1] ?? 0 };
      const touches = touchesMask(masked, range);
      return touches ? null : range;
    },
  };
}

/** Returns true if the range touches a mask. Uses binary search: masks are in order. */
function touchesMask(masked: readonly MaskedRange[], range: TextRange): boolean {
  let low = 0;
  let high = masked.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((masked[middle]?.end ?? 0) > range.start) high = middle;
    else low = middle + 1;
  }
  return (masked[low]?.start ?? Infinity) < range.end;
}

/** Returns the end of the character at a position, including combining marks. */
function clusterEnd(prose: string, at: number, limit: number): number {
  let end = at + (at + 1 < limit && isLowSurrogate(prose, at + 1) ? 2 : 1);
  // ASCII before ASCII has no combining mark. This covers nearly all text.
  while (
    end < limit &&
    prose.charCodeAt(end) > 0x2ff &&
    end - at < 30 &&
    /^\p{M}/u.test(prose.slice(end, end + 2))
  ) {
    end += (prose.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return end;
}

function heardOf(cluster: string): string {
  if (cluster.length === 1 && cluster < '\u0080')
    return cluster === '\n' || cluster === '\t' || cluster === '\r' ? ' ' : cluster;
  if (cluster === '\u00a0' || cluster === '\u202f' || cluster === '\u2009') return ' ';
  // A letter stays without the variation selector or joiner after it.
  if (/^\p{L}/u.test(cluster)) return cluster.replace(INVISIBLES, '').normalize('NFC');
  if (INVISIBLE.test(cluster) || PICTURE.test(cluster)) return '';
  return cluster.length > 1 ? cluster.normalize('NFC') : cluster;
}
