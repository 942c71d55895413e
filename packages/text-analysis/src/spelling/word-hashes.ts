/** A set of words in 4 bytes each. Wrongly contains one of 25,000 other words. */
export class WordHashes {
  private readonly hashes: Uint32Array;

  constructor(words: readonly string[]) {
    this.hashes = Uint32Array.from(words, hashOf).sort();
  }

  has(word: string): boolean {
    const hash = hashOf(word);
    let low = 0;
    let high = this.hashes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.hashes[middle] ?? 0) < hash) low = middle + 1;
      else high = middle;
    }
    return this.hashes[low] === hash;
  }
}

/** FNV-1a over UTF-16 units. */
function hashOf(word: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < word.length; index += 1)
    hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193) >>> 0;
  return hash;
}
