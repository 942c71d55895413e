/**
 * Returns whether a text has more than so many characters (code points). A character has one or two UTF-16 units, so a text
 * is never counted beyond twice the limit, however long it is.
 */
export function isLongerThan(text: string, characters: number): boolean {
  if (text.length <= characters) return false;
  return text.length > 2 * characters || Array.from(text).length > characters;
}
