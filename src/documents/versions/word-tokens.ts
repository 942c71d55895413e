/**
 * A word, a stretch of white space, or any other character with the marks that belong to it. In scripts written without
 * spaces every character stands alone: where a word ends there takes a dictionary.
 */
const TOKEN =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]\p{M}*|(?:(?![\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}])[\p{L}\p{N}\p{M}_])+|\s+|[^](?:\p{M}|\u200d[^])*/gu;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** The pieces a reader would call changed or not; joined they are the text. */
export function wordTokens(text: string): string[] {
  return text.match(TOKEN) ?? [];
}

/** How many of the tokens of a text are words. */
export function wordsIn(text: string): number {
  let words = 0;
  for (const token of wordTokens(text)) if (LETTER_OR_DIGIT.test(token)) words += 1;
  return words;
}
