import { characterStretches, type Literal } from './search-words.js';
import { partsOf, spellingsOf } from './tokenize.js';

/** Length of the content to search for a highlight, and of the excerpt it shows. */
export const SEARCHED_CHARACTERS = 20_000;
const EXCERPT_CHARACTERS = 240;
/** Tokens are separated by whitespace. Longer tokens are cut to this length around the match. */
const MAX_TOKEN = 200;
const WHITE_SPACE = /\s/u;
/** Matches the rest of a token from `lastIndex`. */
const REST_OF_TOKEN = new RegExp(`\\S{1,${String(MAX_TOKEN)}}`, 'uy');
/** Length of the common prefix of the forms of a long word. */
const MAX_PREFIX = 4;

/** A token at `index` of a text. `offset` is the position of a possible match in it. */
interface FoundToken {
  token: string;
  index: number;
  offset: number;
}

/** The parts of a token that may match. */
interface Token {
  /** True if it matches in every language. */
  isMatch: boolean;
  /** Spellings of words that match if a stemmer agrees. */
  candidates: readonly string[];
}

/** An excerpt of a document with its matches. */
export interface Fragment {
  text: string;
  /** Matching words with adjacent punctuation, as separated by whitespace. */
  words: readonly string[];
  /** Matching character sequences of scripts without spaces. */
  stretches: readonly string[];
}

/** Separates punctuation from a word. Combining marks on its last letter, and the + of C++, belong to the word. */
const EDGES = /^([^\p{L}\p{N}]*)(.*?[+#]*)([^\p{L}\p{M}\p{N}]*)$/su;

/** Returns a fragment as HTML: matches are in `<mark>`, other text is escaped, whitespace is collapsed. */
export function highlight({ text, words, stretches }: Fragment): string {
  const wanted = new Set(words);
  return text
    .split(/\s+/)
    .filter((token) => token !== '')
    .map((token) => (wanted.has(token) ? markWord(token) : markStretches(token, stretches)))
    .join(' ');
}

function markWord(token: string): string {
  const [, before = '', word = '', after = ''] = EDGES.exec(token) ?? [];
  return word === '' ? mark(token) : escapeHtml(before) + mark(word) + escapeHtml(after);
}

/** Marks every occurrence of the first stretch, then of the others in the remaining text. */
function markStretches(token: string, [stretch, ...others]: readonly string[]): string {
  if (stretch === undefined) return escapeHtml(token);
  const parts = token.split(stretch).map((part) => markStretches(part, others));
  return parts.join(mark(stretch));
}

function mark(text: string): string {
  return `<mark>${escapeHtml(text)}</mark>`;
}

const NEEDS_ESCAPING = /[&<>"]/;

function escapeHtml(text: string): string {
  if (!NEEDS_ESCAPING.test(text)) return text;
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Finds and highlights the matches of one search. Caches the analysis of tokens. */
export class Highlighter {
  /** The wanted words in all spellings. */
  readonly words: readonly string[];
  private readonly prefixes: ReadonlySet<string>;
  private readonly joined: ReadonlySet<string>;
  /** Adjacent characters of scripts without spaces. */
  private readonly stretches: readonly string[];
  /**
   * Matches where a wanted word may start, and every non-ASCII character. Must not match whitespace, which is not part of
   * a token, or {@link tokensOf} would loop forever.
   */
  private readonly candidate: RegExp;
  private readonly tokens = new Map<string, Token>();

  constructor(literals: readonly Literal[]) {
    const parts = literals.flatMap(({ text }) => [...partsOf(text)]);
    const words = parts
      .filter(({ isCharacter }) => !isCharacter)
      .flatMap(({ text }) => spellingsOf(text));
    this.words = [...new Set(words)];
    this.prefixes = new Set(words.map(prefixOf));
    this.joined = new Set(parts.flatMap(({ joined }) => joined));
    const stretches = new Set(literals.flatMap(({ text }) => characterStretches(text)));
    this.stretches = [...stretches].sort((one, other) => other.length - one.length);
    this.candidate = new RegExp([...this.prefixes, '(?!\\s)[^\\0-\\x7f]'].join('|'), 'gi');
  }

  /** Matches any of the words, in `websearch_to_tsquery` syntax. */
  get query(): string {
    return this.words.map((word) => `"${word}"`).join(' or ');
  }

  /** Adds the words of a text that may match by stemming. */
  addCandidates(text: string, candidates: Set<string>): void {
    for (const { token } of this.tokensOf(text))
      for (const word of this.read(token).candidates) candidates.add(word);
  }

  /** Returns an excerpt around the first match as HTML. `matches` says if a candidate matches. */
  highlight(text: string, matches: (word: string) => boolean): string | undefined {
    const isFound = (token: string, isWord: (word: string) => boolean) => {
      const { isMatch, candidates } = this.read(token);
      return isMatch || candidates.some(isWord);
    };
    const before: FoundToken[] = [];
    const tokens = this.tokensOf(text);
    for (const found of tokens) {
      before.push(found);
      const { token, index, offset } = found;
      if (!isFound(token, matches)) continue;
      const at = index + (this.offsetOfStretch(token) ?? offset);
      const shown = excerptAt(text, at);
      // The excerpt may begin and end within a token. The parts that it leaves are not words of the text.
      const whole = this.wordsNear(at, before, tokens);
      const words = [...this.tokensOf(shown)]
        .map((one) => one.token)
        .filter(
          (one) =>
            !this.hasStretch(one) && isFound(one, (word) => whole.has(word) && matches(word)),
        );
      return highlight({ text: shown, words, stretches: this.stretches });
    }
    return undefined;
  }

  /** Returns the candidates of all tokens that an excerpt around `at` can contain. Takes those after it from `next`. */
  private wordsNear(
    at: number,
    before: readonly FoundToken[],
    next: Iterable<FoundToken>,
  ): ReadonlySet<string> {
    const near = before.filter(
      ({ token, index }) => index + token.length > at - EXCERPT_CHARACTERS,
    );
    for (const found of next) {
      if (found.index > at + EXCERPT_CHARACTERS) break;
      near.push(found);
    }
    return new Set(near.flatMap(({ token }) => this.read(token).candidates));
  }

  /** Returns the tokens of a text that may match. Skips most of the text. */
  private *tokensOf(text: string): Generator<FoundToken> {
    let end = 0;
    for (;;) {
      this.candidate.lastIndex = end;
      const found = this.candidate.exec(text)?.index;
      if (found === undefined) return;
      const first = Math.max(end, found - MAX_TOKEN);
      let index = found;
      while (index > first && !WHITE_SPACE.test(text.charAt(index - 1))) index -= 1;
      REST_OF_TOKEN.lastIndex = found;
      const token = text.slice(index, found) + (REST_OF_TOKEN.exec(text)?.[0] ?? '');
      yield { token, index, offset: found - index };
      end = index + token.length;
    }
  }

  private read(token: string): Token {
    const known = this.tokens.get(token);
    if (known) return known;
    const parts = [...partsOf(token)];
    const candidates = parts
      .filter(({ isCharacter }) => !isCharacter)
      .map(({ text }) => spellingsOf(text))
      .filter((spellings) => spellings.some((word) => this.looksAlike(word)))
      .map((spellings) => [...new Set(spellings)].join(' '));
    const isJoined = parts.some(({ joined }) => joined.some((one) => this.joined.has(one)));
    const read = { isMatch: isJoined || this.hasStretch(token), candidates };
    this.tokens.set(token, read);
    return read;
  }

  /** True if a word has the prefix of a wanted word. Only such words can be its forms. */
  private looksAlike(word: string): boolean {
    for (let length = 1; length <= MAX_PREFIX; length += 1)
      if (this.prefixes.has(word.slice(0, length))) return true;
    return false;
  }

  private hasStretch(token: string): boolean {
    if (this.stretches.length === 0) return false;
    const text = token.normalize('NFKC').toLowerCase();
    return this.stretches.some((stretch) => text.includes(stretch));
  }

  private offsetOfStretch(token: string): number | undefined {
    const offsets = this.stretches.map((stretch) => token.indexOf(stretch));
    const found = offsets.filter((offset) => offset >= 0);
    return found.length === 0 ? undefined : Math.min(...found);
  }
}

/** Returns the prefix that all forms of a word share. Forms differ in their last letters. */
function prefixOf(word: string): string {
  return word.slice(0, Math.min(MAX_PREFIX, Math.max(2, word.length - 3)));
}

/** Returns an excerpt that starts shortly before `at` and contains only whole tokens. */
function excerptAt(text: string, at: number): string {
  const first = Math.max(0, at - EXCERPT_CHARACTERS / 4);
  let shown = text.slice(first, first + EXCERPT_CHARACTERS);
  if (first > 0) shown = shown.replace(/^\S{0,30}\s+/u, '');
  if (first + EXCERPT_CHARACTERS < text.length) shown = shown.replace(/\s+\S{0,30}$/u, '');
  return shown.toWellFormed().replaceAll('\ufffd', '').normalize('NFKC');
}
