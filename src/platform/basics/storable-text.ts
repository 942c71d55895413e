/**
 * Returns the text with a replacement character for each NUL and each half of a surrogate pair, which PostgreSQL cannot
 * store. For text that the service records about clients, not for text that they want stored: that is refused instead.
 */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}
