/** Scripts without spaces between words, and the marks they share. */
const SPACELESS =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;
const SPACELESS_STRETCH =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const WHITE_SPACE = /\s/;
const NO_LETTER = /[^\p{L}\p{N}\p{M}]/u;

/** Maximum length of a piece, in UTF-16 units: `Intl.Segmenter` takes quadratic time in Node 20. */
const PIECE = 512;

const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/**
 * Counts words as word processors do: runs between white space that contain a letter or digit (`state-of-the-art` is one
 * word, a lone `#` is none). In scripts without spaces, counts the words of Unicode segmentation (UAX #29 with ICU
 * dictionaries). Takes linear time.
 */
export function countWords(text: string): number {
  return needsDictionary(text) ? countMixed(text) : countRuns(text);
}

/** Returns true if any part of a text has no spaces between words. Counting such text takes a hundred times as long. */
export function needsDictionary(text: string): boolean {
  return SPACELESS.test(text);
}

function countMixed(text: string): number {
  let words = 0;
  const rest = text.replace(SPACELESS_STRETCH, (stretch) => {
    words += countSegments(stretch);
    // A stretch ends the run before it, as white space does.
    return ' ';
  });
  return words + countRuns(rest);
}

function countRuns(text: string): number {
  let words = 0;
  let counted = false;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (
      unit < 128 ? unit === 32 || (unit >= 9 && unit <= 13) : WHITE_SPACE.test(text.charAt(index))
    ) {
      counted = false;
    } else if (!counted && isLetterOrDigit(text, index, unit)) {
      counted = true;
      words += 1;
    }
  }
  return words;
}

function isLetterOrDigit(text: string, index: number, unit: number): boolean {
  if (unit < 128) {
    return (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122);
  }
  return LETTER_OR_DIGIT.test(String.fromCodePoint(text.codePointAt(index) ?? unit));
}

function countSegments(stretch: string): number {
  let words = 0;
  let start = 0;
  while (start < stretch.length) {
    const end = endOfPiece(stretch, start);
    for (const { isWordLike } of segmenter.segment(stretch.slice(start, end)))
      if (isWordLike) words += 1;
    start = end;
  }
  return words;
}

/** Returns the cut after the last punctuation of a piece, if any. Never splits a surrogate pair. */
function endOfPiece(stretch: string, start: number): number {
  const limit = start + PIECE;
  if (limit >= stretch.length) return stretch.length;
  for (let end = limit; end > start + PIECE / 2; end -= 1) {
    if (NO_LETTER.test(stretch.charAt(end - 1)) && !isHighSurrogate(stretch, end - 1)) return end;
  }
  return isHighSurrogate(stretch, limit - 1) ? limit - 1 : limit;
}

function isHighSurrogate(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xfc00) === 0xd800;
}
