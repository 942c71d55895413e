import LineBreaker from 'linebreak';

/** A stretch of a text, by its units. */
export interface Stretch {
  start: number;
  end: number;
}

/** What a line holds as a whole wherever it can, with the white space behind it. */
interface Word extends Stretch {
  /** Where it is parted best when no line can: an address after its slashes. */
  parts: readonly Stretch[];
}

/** A place behind one of these is within a word, although Unicode lets lines end there. */
const WITHIN_WORD = /[!-~\u00ad\u2010-\u2014\u2026]/;
/** Belongs to the character before it and to its face. */
// eslint-disable-next-line no-misleading-character-class -- single code points are meant, whatever they do to their neighbours
export const JOINED = /^[\p{M}\u200c\u200d\u{1f3fb}-\u{1f3ff}]$/u;

/** The words of a text; in scripts that put no spaces between words, the characters (UAX #14). */
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

/** The characters of a stretch, each with the marks that belong to it. */
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
