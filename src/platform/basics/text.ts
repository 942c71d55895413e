/** Characters that show nothing: white space, ignorable and format characters, marks without a letter, empty Braille. */
const SHOWS_NOTHING = /^[\s\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Z}\p{M}\u{2800}]*$/u;

/** True for a text in which a reader sees nothing. */
export function isBlank(text: string): boolean {
  return SHOWS_NOTHING.test(text);
}

/**
 * True if a text has more than `characters` code points. A code point has one or two UTF-16 units, so counting stops at
 * twice the limit.
 */
export function isLongerThan(text: string, characters: number): boolean {
  if (text.length <= characters) return false;
  return text.length > 2 * characters || Array.from(text).length > characters;
}

/**
 * Returns the text with a replacement character for each NUL and each half of a surrogate pair, which PostgreSQL cannot
 * store. For text that the service records about clients, not for text that they want stored: that is refused instead.
 */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}
