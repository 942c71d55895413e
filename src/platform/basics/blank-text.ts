/** Characters that show nothing: white space, ignorable and format characters, marks without a letter, empty Braille. */
const SHOWS_NOTHING = /^[\s\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Z}\p{M}\u{2800}]*$/u;

/** True for a text in which a reader sees nothing. */
export function isBlank(text: string): boolean {
  return SHOWS_NOTHING.test(text);
}
