/** A set of words in 4 bytes each. Wrongly contains one of 25,000 other words. */
export class WordHashes {
  private readonly hashes: Uint32Array;

  constructor(words: readonly string[]) {
    this.hashes = Uint32Array.from(words, hashOf).sort();
  }

  has(word: string): boolean {
    return indexOfHash(this.hashes, hashOf(word)) >= 0;
  }
}

/** Returns the index of a hash among hashes in ascending order, or -1. */
export function indexOfHash(hashes: Uint32Array, hash: number): number {
  let low = 0;
  let high = hashes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((hashes[middle] ?? 0) < hash) low = middle + 1;
    else high = middle;
  }
  return hashes[low] === hash ? low : -1;
}

/** FNV-1a over UTF-16 units. */
export function hashOf(word: string): number {
  let hash = NO_HASH;
  for (let index = 0; index < word.length; index += 1) hash = hashed(hash, word.charCodeAt(index));
  return hash;
}

/** The hash of the empty text, and the hash of a text with one more unit. */
export const NO_HASH = 0x811c9dc5;
export function hashed(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193) >>> 0;
}
