import { readFile } from 'node:fs/promises';

/** Words that stand for the start and the end of a sentence. */
export const SENTENCE_START = '<s>';
export const SENTENCE_END = '</s>';

/** Id of a word that the model does not contain. */
export const UNKNOWN_WORD = -1;

const MAGIC = 'NGRAM-3\n';

/** Natural logarithm of the probability of an unknown word. The rarest words of the model have -14.7. */
const UNKNOWN = -16;

let model: Promise<LanguageModel> | undefined;

/** Loads the model once, 10 MB. */
export function languageModel(): Promise<LanguageModel> {
  model ??= LanguageModel.load();
  return model;
}

/**
 * A trigram model of English with 30,000 words, built by packages/text-analysis/scripts/build-language-model.mjs. Words are in lower case, and
 * contractions are one word (`don't`). Deterministic.
 *
 * The file contains, in this order and with the lower byte first: a magic, the five counts (Uint32), three quantization tables
 * of 256 logarithms (Float32), the logarithm and the back-off weight of each word (Float32), where its pairs with and without
 * a third word start, where the triples of a pair start (Uint32), the last words of pairs and triples (Uint16), the
 * quantized logarithms and weights (Uint8), and the words, most frequent first. It stays in memory as it is.
 */
export class LanguageModel {
  private readonly ids = new Map<string, number>();

  private constructor(private readonly data: ModelData) {
    for (const [id, word] of data.words.entries()) this.ids.set(word, id);
  }

  static async load(
    file: URL = new URL('language-model.bin', import.meta.url),
  ): Promise<LanguageModel> {
    return new LanguageModel(dataOf(await readFile(file)));
  }

  /** Its words, most frequent first. */
  get words(): readonly string[] {
    return this.data.words;
  }

  /** Returns the id of a word in lower case, or a negative number if the model does not contain it. */
  idOf(word: string): number {
    return this.ids.get(word) ?? UNKNOWN_WORD;
  }

  /**
   * Returns the natural logarithm of the probability of a word after up to two words, all as ids. An unknown word ends the
   * context.
   */
  logProbability(word: number, previous = UNKNOWN_WORD, beforePrevious = UNKNOWN_WORD): number {
    if (previous < 0) return this.unigram(word);
    const { contextWords, contextStarts, tripleWords, tripleStarts } = this.data;
    const context = find(contextWords, contextStarts, beforePrevious, previous);
    if (context < 0) return this.bigram(word, previous);
    const { tripleLogs, tripleBins, weights, weightBins } = this.data;
    const triple = find(tripleWords, tripleStarts, context, word);
    if (triple >= 0) return at(tripleLogs, at(tripleBins, triple));
    return at(weights, at(weightBins, context)) + this.bigram(word, previous);
  }

  private unigram(word: number): number {
    return word < 0 ? UNKNOWN : at(this.data.logs, word);
  }

  private bigram(word: number, previous: number): number {
    const { pairLogs, pairBins, wordWeights } = this.data;
    const pair = this.pair(previous, word);
    if (pair >= 0) return at(pairLogs, at(pairBins, pair));
    return at(wordWeights, previous) + this.unigram(word);
  }

  /** Returns the index of a pair of words, or a negative number. */
  private pair(first: number, second: number): number {
    const { contextWords, contextStarts, leafWords, leafStarts } = this.data;
    const context = find(contextWords, contextStarts, first, second);
    if (context >= 0) return context;
    const leaf = find(leafWords, leafStarts, first, second);
    return leaf < 0 ? leaf : contextWords.length + leaf;
  }
}

type ModelData = ReturnType<typeof dataOf>;

function dataOf(file: Buffer) {
  const { buffer, byteOffset } = file;
  if (file.toString('latin1', 0, MAGIC.length) !== MAGIC || byteOffset % 4 !== 0)
    throw new Error('language-model.bin is damaged. Check the file out again.');
  let at = byteOffset + MAGIC.length;
  const uint32 = (length: number) =>
    new Uint32Array(buffer, (at += 4 * length) - 4 * length, length);
  const float32 = (length: number) =>
    new Float32Array(buffer, (at += 4 * length) - 4 * length, length);
  const uint16 = (length: number) =>
    new Uint16Array(buffer, (at += 2 * length) - 2 * length, length);
  const uint8 = (length: number) => new Uint8Array(buffer, (at += length) - length, length);
  const [words = 0, contexts = 0, leaves = 0, triples = 0, textLength = 0] = uint32(5);
  return {
    pairLogs: float32(256),
    weights: float32(256),
    tripleLogs: float32(256),
    logs: float32(words),
    wordWeights: float32(words),
    contextStarts: uint32(words + 1),
    leafStarts: uint32(words + 1),
    tripleStarts: uint32(contexts + 1),
    contextWords: uint16(contexts),
    leafWords: uint16(leaves),
    tripleWords: uint16(triples),
    pairBins: uint8(contexts + leaves),
    weightBins: uint8(contexts),
    tripleBins: uint8(triples),
    words: Buffer.from(uint8(textLength)).toString('utf8').split('\n'),
  };
}

function at(values: Float32Array | Uint8Array, index: number): number {
  return values[index] ?? 0;
}

/** Returns the index of a word among the entries of a parent, which are in ascending order, or -1. */
function find(words: Uint16Array, starts: Uint32Array, parent: number, word: number): number {
  let low = starts[parent] ?? 0;
  let high = (starts[parent + 1] ?? 0) - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = words[middle] ?? 0;
    if (found === word) return middle;
    if (found < word) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
