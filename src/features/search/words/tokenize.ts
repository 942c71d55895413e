/** Character class of scripts without spaces (Thai to Khmer, Chinese, Japanese, Korean), and of emoji. */
const UNSPACED =
  '\\u0e01-\\u0fbc\\u1000-\\u109f\\u1100-\\u11ff\\u1780-\\u17ff\\u2600-\\u27bf\\u2e80-\\u2fdf\\u3005-\\u3007\\u3021-\\u302f' +
  '\\u3031-\\u3035\\u3038-\\u303c\\u3041-\\u309f\\u30a1-\\u30fa\\u30fc-\\u31ff\\u3400-\\u4dbf\\u4e00-\\ua4cf' +
  '\\ua960-\\ua97f\\uac00-\\ud7ff\\uf900-\\ufaff\\u{1f000}-\\u{1faff}\\u{20000}-\\u{3ffff}';

/** Matches punctuation that joins words: don't, AT&T, he/she, e-mail, node.js. */
const JOINING = /^[&'\-./@_`´ʻʼ‐‑‘’‛]{1,3}$/u;
/** Matches trailing signs that change a word: C++, C#. */
const TRAILING = /^[+#]+(?![\p{L}\p{N}])/u;

/** Matches a character of a script without spaces, or a word. Excludes apostrophes that Unicode classifies as letters. */
const PARTS = new RegExp(`([${UNSPACED}])|(?:(?![${UNSPACED}ʻʼ])[\\p{L}\\p{M}\\p{N}])+`, 'gu');
const ASCII_PARTS = /()[a-z0-9]+/g;
const IS_ASCII = /^[\0-\x7f]*$/;
/** Matches marks without a letter, and the Arabic tatweel, which would become an empty term. */
const HAS_NO_LETTER = /^[\p{M}\u0640]+$/u;

/** Splits a text between words, or within very long ones, because normalizing consecutive marks takes quadratic time. */
const PIECES = /[\s\S]{1,1000}(?!\S)|\S{1,200}/gu;

/** Matches marks that people often omit, depending on the script. Other marks make a different letter. */
const LEFT_OUT = new RegExp(
  [
    // Latin and Greek accents. In Cyrillic, й, ї and ў are different letters from и, і and у.
    '(?<![\\u0300-\\u036f\\u0400-\\u052f])[\\u0300-\\u036f]+',
    // Cyrillic stress marks.
    '(?<=[\\u0308аеиоуыэюяіє])[\\u0300\\u0301]',
    // Hebrew points, Arabic vowel signs and tatweel.
    '[\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7]',
    '[\\u064b-\\u0652\\u0670\\u0640]',
  ].join('|'),
  'gu',
);
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ...{ ø: 'o', ł: 'l', đ: 'd', ð: 'd', ħ: 'h', ŧ: 't', ı: 'i', ĸ: 'q', ŋ: 'n', ς: 'σ', ё: 'е' },
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th' },
};
const SPECIAL_LETTERS = new RegExp(`[${Object.keys(PLAIN_LETTERS).join('')}]`, 'gu');
const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' };

/** Longer character sequences are not indexed. */
const MAX_WORD = 200;
/** Stop words are shorter. Only they need terms with their joining punctuation. */
const MAX_JOINED = 10;

/** A word, or a character of a script without spaces, in lowercase. */
export interface Part {
  text: string;
  isCharacter: boolean;
  /** True if it directly follows the previous part. */
  isAdjacent: boolean;
  /** Terms that join it with the previous part or with trailing signs. */
  joined: readonly string[];
}

/** Returns the parts of a text in order. The text may be long. */
export function* partsOf(text: string): Generator<Part> {
  let before: Part | undefined;
  for (const [raw] of text.matchAll(PIECES)) {
    const isAscii = IS_ASCII.test(raw);
    const piece = (isAscii ? raw : raw.normalize('NFKC')).toLowerCase();
    let end = 0;
    for (const match of piece.matchAll(isAscii ? ASCII_PARTS : PARTS)) {
      const [word, character] = match;
      if (!isAscii && !character && HAS_NO_LETTER.test(word)) continue;
      const signs = piece.slice(end, match.index);
      end = match.index + word.length;
      const part: Part = {
        text: word,
        isCharacter: character !== undefined && character !== '',
        isAdjacent: before !== undefined && signs === '',
        joined: character ? NONE : joinedWords(before, signs, word, piece, end),
      };
      before = part;
      if (word.length <= MAX_WORD) yield part;
    }
    // Punctuation at the end of a piece separates it from the next piece.
    if (end < piece.length) before = undefined;
  }
}

const NONE: readonly string[] = [];

/** Returns terms that join a word with the preceding word or with trailing signs. */
function joinedWords(
  before: Part | undefined,
  signs: string,
  word: string,
  piece: string,
  end: number,
): readonly string[] {
  const next = piece[end];
  const isTrailed = next === '+' || next === '#';
  const isJoined = before !== undefined && !before.isCharacter && JOINING.test(signs);
  if ((!isTrailed && !isJoined) || word.length > MAX_JOINED) return NONE;
  const joined: string[] = [];
  if (isJoined && before.text.length <= MAX_JOINED)
    joined.push(`${fold(before.text)}-${fold(word)}`);
  const [trailing] = (isTrailed && TRAILING.exec(piece.slice(end, end + 10))) || [];
  if (trailing) joined.push(fold(word) + trailing);
  return joined;
}

/** Returns a word without accents, as people often type it. */
export function fold(word: string): string {
  if (IS_ASCII.test(word)) return word;
  return word
    .normalize('NFKD')
    .replaceAll(LEFT_OUT, '')
    .normalize('NFKC')
    .replaceAll(SPECIAL_LETTERS, (letter) => PLAIN_LETTERS[letter] ?? letter);
}

/** Returns the spellings of a word: without accents, as written, and with umlauts as ae, oe and ue. */
export function spellingsOf(word: string): [plain: string, typed: string, umlauts: string] {
  if (IS_ASCII.test(word)) return [word, word, word];
  const plain = fold(word);
  const spelled = word.replaceAll(/[äöü]/g, (letter) => UMLAUTS[letter] ?? letter);
  return [plain, word, spelled === word ? plain : fold(spelled)];
}
