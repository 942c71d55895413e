// Builds packages/text-analysis/src/english/language-model.bin, the trigram model of English, from the US English model of
// PocketSphinx (BSD licenses): `node packages/text-analysis/scripts/build-language-model.mjs /usr/share/pocketsphinx/model/en-us/en-us.lm.bin`.
// Debian's package pocketsphinx-en-us contains that file. The same input always yields the same bytes.
//
// The result contains the most frequent words and the n-grams that change probabilities most. Back-off weights are computed
// again, so that probabilities still sum to 1 (Stolcke, "Entropy-based pruning of backoff language models", 1998). Values have
// 8 bits.
// packages/text-analysis/src/english/language-model.ts describes the format.
import { Buffer } from 'node:buffer';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const OUTPUT = new URL('../src/english/language-model.bin', import.meta.url);

/** Number of words. They are 99.5 % of the words in texts. */
const WORDS = 30_000;
/**
 * Minimum weight of an n-gram: the square root of its probability times the change of its logarithm. The square root keeps more
 * of the rarer n-grams, which decide between similar words. At 0 the file has 12.8 MB, at 0.0005 half of that.
 */
const LEAST_WEIGHT = 0.0005;

const [, , input] = process.argv;
if (input === undefined) {
  process.stderr.write(
    'Name the model file: node packages/text-analysis/scripts/build-language-model.mjs en-us.lm.bin\n',
  );
  process.exit(1);
}

const source = readSphinx(readFileSync(input));
const model = pruned(withWords(source, WORDS));
const bytes = encode(model);
writeFileSync(OUTPUT, bytes);
const { words, bigrams, trigrams } = model;
process.stdout.write(
  `${fileURLToPath(OUTPUT)}: ${words.length} words, ${bigrams.length} pairs, ${trigrams.length} triples, ${bytes.length} bytes\n`,
);

/**
 * Reads a trie model of CMU Sphinx: a header, three quantization tables, unigrams, bit-packed bigrams and trigrams, and words.
 * The trie starts with the last word of an n-gram. Logarithms have the base 1.0001.
 */
function readSphinx(file) {
  const MAGIC = 'Trie Language Model';
  if (file.toString('latin1', 0, MAGIC.length) !== MAGIC || file[MAGIC.length] !== 3)
    throw new Error(`${input} is not a trigram model of CMU Sphinx in its trie format.`);
  let at = MAGIC.length + 1;
  const uint32 = () => file.readUInt32LE((at += 4) - 4);
  const [wordCount, bigramCount, trigramCount] = [uint32(), uint32(), uint32()];
  // The type of quantization, which is always 16 bits.
  uint32();
  const unit = Math.log(1.0001);
  const table = () => {
    const logs = Float64Array.from(
      { length: 65_536 },
      (_, index) => file.readFloatLE(at + 4 * index) * unit,
    );
    at += 4 * 65_536;
    return logs;
  };
  const [bigramLogs, bigramBackoffs, trigramLogs] = [table(), table(), table()];
  const unigrams = Array.from({ length: wordCount + 1 }, () => {
    const node = {
      log: file.readFloatLE(at) * unit,
      backoff: file.readFloatLE(at + 4) * unit,
      first: file.readUInt32LE(at + 8),
    };
    at += 12;
    return node;
  });
  const wordBits = bitsFor(wordCount);
  const nextBits = bitsFor(trigramCount);
  const packed = (count, bits) => {
    const start = at;
    // Ends with an empty entry and eight bytes of padding.
    at += (((count + 1) * bits + 7) >>> 3) + 8;
    return (index, offset, length) => {
      const bit = index * bits + offset;
      return (file.readUInt32LE(start + Math.floor(bit / 8)) >>> (bit & 7)) & (2 ** length - 1);
    };
  };
  const bigramAt = packed(bigramCount, wordBits + 32 + nextBits);
  const trigramAt = packed(trigramCount, wordBits + 16);
  const length = uint32();
  const words = file
    .toString('utf8', at, at + length)
    .split('\0')
    .slice(0, wordCount);
  const bigrams = [];
  const trigrams = [];
  for (let third = 0; third < wordCount; third += 1) {
    for (let node = unigrams[third].first; node < unigrams[third + 1].first; node += 1) {
      const second = bigramAt(node, 0, wordBits);
      bigrams.push({
        words: [second, third],
        backoff: bigramBackoffs[bigramAt(node, wordBits, 16)],
        log: bigramLogs[bigramAt(node, wordBits + 16, 16)],
      });
      const end = bigramAt(node + 1, wordBits + 32, nextBits);
      for (let leaf = bigramAt(node, wordBits + 32, nextBits); leaf < end; leaf += 1) {
        trigrams.push({
          words: [trigramAt(leaf, 0, wordBits), second, third],
          log: trigramLogs[trigramAt(leaf, wordBits, 16)],
        });
      }
    }
  }
  return { words: words.map((word, index) => ({ word, ...unigrams[index] })), bigrams, trigrams };
}

function bitsFor(largest) {
  return 32 - Math.clz32(largest);
}

/** Keeps the most frequent words, in order of frequency, and the n-grams that consist of them. */
function withWords({ words, bigrams, trigrams }, count) {
  const end = words.find(({ word }) => word === '</s>');
  // A text begins as often as it ends. The model gives the begin no probability, because it never follows a word.
  const weight = ({ word, log }) => (word === '<s>' ? end.log : log);
  const order = [...words.keys()].sort(
    (a, b) => weight(words[b]) - weight(words[a]) || (words[a].word < words[b].word ? -1 : 1),
  );
  const rank = new Map(order.slice(0, count).map((old, index) => [old, index]));
  const kept = (ngrams) =>
    ngrams
      .filter((ngram) => ngram.words.every((word) => rank.has(word)))
      .map((ngram) => ({ ...ngram, words: ngram.words.map((word) => rank.get(word)) }))
      .sort((a, b) => {
        const at = a.words.findIndex((word, index) => word !== b.words[index]);
        return a.words[at] - b.words[at];
      });
  return {
    words: order.slice(0, count).map((old) => ({ ...words[old], weight: weight(words[old]) })),
    bigrams: kept(bigrams),
    trigrams: kept(trigrams),
  };
}

function pruned({ words, bigrams, trigrams }) {
  const key = (first, second) => first * words.length + second;
  const byPair = new Map(bigrams.map((bigram) => [key(...bigram.words), bigram]));
  const afterTwo = (second, third) =>
    byPair.get(key(second, third))?.log ?? words[second].backoff + words[third].log;
  const keptTrigrams = trigrams.filter(({ words: [first, second, third], log }) => {
    const context = byPair.get(key(first, second));
    if (!context) return false;
    const change = log - (context.backoff + afterTwo(second, third));
    return isKept(words[first].weight + context.log + log, change);
  });
  const contexts = new Set(keptTrigrams.map(({ words: [first, second] }) => key(first, second)));
  const keptBigrams = bigrams.filter(({ words: [first, second], log }) => {
    if (contexts.has(key(first, second))) return true;
    const change = log - (words[first].backoff + words[second].log);
    return isKept(words[first].weight + log, change);
  });
  // Back-off weights give what the n-grams of a context leave to all other words.
  const rest = words.map(() => ({ own: 1, lower: 1 }));
  for (const {
    words: [first, second],
    log,
  } of keptBigrams) {
    rest[first].own -= Math.exp(log);
    rest[first].lower -= Math.exp(words[second].log);
  }
  const newWords = words.map((word, index) => ({ ...word, backoff: weightOf(rest[index]) }));
  const keptByPair = new Map(keptBigrams.map((bigram) => [key(...bigram.words), bigram]));
  const restOfPair = new Map([...contexts].map((pair) => [pair, { own: 1, lower: 1 }]));
  for (const {
    words: [first, second, third],
    log,
  } of keptTrigrams) {
    const pair = restOfPair.get(key(first, second));
    const lower =
      keptByPair.get(key(second, third))?.log ?? newWords[second].backoff + newWords[third].log;
    pair.own -= Math.exp(log);
    pair.lower -= Math.exp(lower);
  }
  const newBigrams = keptBigrams.map((bigram) => {
    const pair = restOfPair.get(key(...bigram.words));
    return { ...bigram, backoff: pair ? weightOf(pair) : null };
  });
  return { words: newWords, bigrams: newBigrams, trigrams: keptTrigrams };
}

/** `log` is the logarithm of the probability of an n-gram, `change` what it adds to that of its last word. */
function isKept(log, change) {
  return Math.exp(log / 2) * Math.abs(change) >= LEAST_WEIGHT;
}

/** Rounding can leave nothing, or more than there is. */
function weightOf({ own, lower }) {
  return Math.log(Math.max(own, 1e-4) / Math.max(lower, 1e-4));
}

/** Returns 256 values, each the mean of equally many of the given numbers, and their index for each number. */
function quantized(numbers) {
  const sorted = Float64Array.from(numbers).sort();
  const centers = new Float32Array(256);
  let start = 0;
  for (let bin = 0; bin < 256; bin += 1) {
    const end = Math.floor((sorted.length * (bin + 1)) / 256);
    let sum = 0;
    for (let index = start; index < end; index += 1) sum += sorted[index];
    centers[bin] = end > start ? sum / (end - start) : (centers[bin - 1] ?? 0);
    start = end;
  }
  const indexOf = (value) => {
    let low = 0;
    let high = 255;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (centers[middle] < value) low = middle + 1;
      else high = middle;
    }
    return low > 0 && value - centers[low - 1] < centers[low] - value ? low - 1 : low;
  };
  return { centers, indices: Uint8Array.from(numbers, indexOf) };
}

function encode({ words, bigrams, trigrams }) {
  const contexts = bigrams.filter(({ backoff }) => backoff !== null);
  const leaves = bigrams.filter(({ backoff }) => backoff === null);
  const bigramLogs = quantized([...contexts, ...leaves].map(({ log }) => log));
  const backoffs = quantized(contexts.map(({ backoff }) => backoff));
  const trigramLogs = quantized(trigrams.map(({ log }) => log));
  const text = Buffer.from(words.map(({ word }) => word).join('\n'), 'utf8');
  const contextIndex = new Map(
    contexts.map(({ words: [first, second] }, index) => [first * words.length + second, index]),
  );
  return Buffer.concat(
    [
      Buffer.from('NGRAM-3\n', 'latin1'),
      Uint32Array.of(words.length, contexts.length, leaves.length, trigrams.length, text.length),
      bigramLogs.centers,
      backoffs.centers,
      trigramLogs.centers,
      Float32Array.from(words, ({ log }) => log),
      Float32Array.from(words, ({ backoff }) => backoff),
      startsOf(words.length, contexts, ({ words: [first] }) => first),
      startsOf(words.length, leaves, ({ words: [first] }) => first),
      startsOf(contexts.length, trigrams, ({ words: [first, second] }) =>
        contextIndex.get(first * words.length + second),
      ),
      Uint16Array.from(contexts, ({ words: [, second] }) => second),
      Uint16Array.from(leaves, ({ words: [, second] }) => second),
      Uint16Array.from(trigrams, ({ words: [, , third] }) => third),
      bigramLogs.indices,
      backoffs.indices,
      trigramLogs.indices,
      text,
    ].map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength)),
  );
}

/** Returns where the entries of each parent start, and the end of the last. Entries are in the order of their parents. */
function startsOf(parents, entries, parentOf) {
  const starts = new Uint32Array(parents + 1);
  for (const entry of entries) starts[parentOf(entry) + 1] += 1;
  for (let parent = 0; parent < parents; parent += 1) starts[parent + 1] += starts[parent];
  return starts;
}
