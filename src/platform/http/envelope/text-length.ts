/**
 * True if a text has more than `characters` code points. A code point has one or two UTF-16 units, so counting stops at
 * twice the limit.
 */
export function isLongerThan(text: string, characters: number): boolean {
  if (text.length <= characters) return false;
  return text.length > 2 * characters || Array.from(text).length > characters;
}
