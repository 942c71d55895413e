/** Scripts written without spaces between words, with the marks they share. */
const SPACELESS =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;
const SPACELESS_STRETCH =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]+/gu;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const WHITE_SPACE = /\s/;
const NO_LETTER = /[^\p{L}\p{N}\p{M}]/u;

/** Intl.Segmenter takes quadratic time on long text in Node 20: it is fed pieces of at most this many UTF-16 units. */
const PIECE = 512;

const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/**
 * Words as word processors count them: runs between white space that hold a letter or a digit (`state-of-the-art` is
 * one, a lone `#` none), and in scripts written without spaces the words of the Unicode segmentation (UAX #29 with
 * ICU's dictionaries). Linear in the length of the text.
 */
export function countWords(text: string): number {
  return needsDictionary(text) ? countMixed(text) : countRuns(text);
}

/** Whether a text is written, in part, without spaces between words: then counting takes a hundred times as long. */
export function needsDictionary(text: string): boolean {
  return SPACELESS.test(text);
}

function countMixed(text: string): number {
  let words = 0;
  const rest = text.replace(SPACELESS_STRETCH, (stretch) => {
    words += countSegments(stretch);
    // A stretch ends the run before it, as white space would.
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

/** Cuts after the last punctuation of a piece where there is one, and never inside a surrogate pair. */
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
