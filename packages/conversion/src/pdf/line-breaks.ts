import LineBreaker from 'linebreak';

/** A range of a text, in UTF-16 units. */
export interface Stretch {
  start: number;
  end: number;
}

/** A unit that a line keeps together if possible, with the white space after it. */
interface Word extends Stretch {
  /** Preferred places to break a word that does not fit on a line: an address breaks after slashes. */
  parts: readonly Stretch[];
}

/** Characters after which Unicode allows a line break, but where a word continues. */
const WITHIN_WORD = /[!-~\u00ad\u2010-\u2014\u2026]/;
/** Characters that attach to the previous character and use its face. */
// eslint-disable-next-line no-misleading-character-class -- single code points are meant, whatever they do to their neighbours
export const JOINED = /^[\p{M}\u200c\u200d\u{1f3fb}-\u{1f3ff}]$/u;

/** Yields the words of a text, or its characters in scripts without spaces (UAX #14). */
export function* wordsOf(text: string): Generator<Word> {
  const breaker = new LineBreaker(text);
  let parts: Stretch[] = [];
  let start = 0;
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
    const end = next.position;
    parts.push({ start, end });
    start = end;
    if (end < text.length && WITHIN_WORD.test(text.charAt(end - 1))) continue;
    yield { start: parts[0]?.start ?? 0, end, parts };
    parts = [];
  }
}

/** Yields the characters of a range, each with its combining marks. */
export function* graphemesOf(text: string, { start, end }: Stretch): Generator<Stretch> {
  let from = start;
  let at = start;
  while (at < end) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    if (at > from && !JOINED.test(character)) {
      yield { start: from, end: at };
      from = at;
    }
    at += character.length;
  }
  if (from < end) yield { start: from, end };
}
