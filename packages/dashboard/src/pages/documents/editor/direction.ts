const LETTER = /\p{L}/u;
/** Letters of Hebrew, Arabic, Syriac, Thaana, N'Ko and other right-to-left scripts. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** Maximum number of characters to search for a letter. */
const LOOKED_AT = 1_000;

/** Returns the direction of a text by its first letter, or undefined if it has no letter. */
export function directionOf(text: string): 'rtl' | 'ltr' | undefined {
  const [letter] = LETTER.exec(text.slice(0, LOOKED_AT)) ?? [];
  if (letter === undefined) return undefined;
  return RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr';
}
