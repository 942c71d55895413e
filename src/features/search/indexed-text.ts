import { partsOf, spellingsOf } from './text-analysis.js';

/** Different words of a text that are indexed, more than a long book has: a vector holds 1 MiB of them. */
const MOST_WORDS = 30_000;
/** Characters of scripts without spaces that are indexed: each makes a pair of its own. */
const MOST_CHARACTERS = 100_000;

/** What PostgreSQL makes a vector of. */
export interface IndexedText {
  /** Words with a space between them, in several spellings of as many words; the first one has no accents. */
  spellings: string[];
  /** What is found wherever it stands: single characters, and stop words that signs join. */
  terms: Set<string>;
}

/**
 * A text as it is indexed: words, and pairs of characters of scripts without spaces, each beginning where the one before
 * has its second character; the last character of a stretch stands for itself. A long text is indexed as far as it goes.
 */
export function indexedText(text: string): IndexedText {
  const writer = new SpellingWriter();
  const terms = new Set<string>();
  let characters = 0;
  let pending: string | undefined;
  for (const part of partsOf(text)) {
    if (pending !== undefined)
      writer.add(part.isCharacter && part.isAdjacent ? pending + part.text : pending);
    pending = undefined;
    if (writer.words >= MOST_WORDS || characters >= MOST_CHARACTERS) break;
    if (part.isCharacter) {
      pending = part.text;
      terms.add(part.text);
      characters += 1;
    } else {
      writer.add(part.text);
      for (const one of part.joined) terms.add(one);
    }
  }
  if (pending !== undefined) writer.add(pending);
  return { spellings: writer.spellings(), terms };
}

/** Writes a text in all spellings; those that say nothing new are left out. */
class SpellingWriter {
  private readonly plain: string[] = [];
  /** Other spellings of words, by their place. */
  private readonly others: [place: number, typed: string, umlauts: string][] = [];
  private readonly seen = new Set<string>();

  get words(): number {
    return this.seen.size;
  }

  add(word: string): void {
    this.seen.add(word);
    const [plain, typed, umlauts] = spellingsOf(word);
    if (plain !== typed || plain !== umlauts) this.others.push([this.plain.length, typed, umlauts]);
    this.plain.push(plain);
  }

  spellings(): string[] {
    const plain = this.plain.join(' ');
    // There is no room for the other spellings of a text with very many words.
    if (this.others.length === 0 || this.words > MOST_WORDS / 2) return [plain];
    const typed = [...this.plain];
    const umlauts = [...this.plain];
    for (const [place, one, other] of this.others) {
      typed[place] = one;
      umlauts[place] = other;
    }
    return [...new Set([plain, typed.join(' '), umlauts.join(' ')])];
  }
}
