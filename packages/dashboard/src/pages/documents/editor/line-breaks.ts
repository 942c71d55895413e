/** The text with the line breaks that the editor knows: it takes each kind for one character. */
export function withPlainLineBreaks(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

/** The line break of a text that has but one kind; texts with several become texts with `\n` when they are changed. */
export function lineBreakOf(text: string): '\n' | '\r\n' {
  return text.includes('\r\n') && !/(?<!\r)\n|\r(?!\n)/.test(text) ? '\r\n' : '\n';
}

/** Where the editor shows what stands at `offset` of the text. */
export function editorPosition(text: string, offset: number): number {
  if (!text.includes('\r\n')) return offset;
  let position = offset;
  for (let at = text.indexOf('\r\n'); at !== -1 && at < offset; at = text.indexOf('\r\n', at + 2)) {
    position -= 1;
  }
  return position;
}
