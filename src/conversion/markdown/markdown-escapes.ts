/** Text so that Markdown takes it for itself, with as few backslashes as that takes. */
export function escapePlainly(text: string): string {
  return text.replace(/[\\`*_[\]<~|]/g, '\\$&').replace(/&(?=[#a-zA-Z])/g, '\\&');
}

/** Text in which every mark is a character reference: no longer pretty, never misread. */
export function escapeWithEntities(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]|[^\S ]/g, (mark) => `&#${String(mark.charCodeAt(0))};`);
}

/** Lines whose beginning Markdown would take for a heading, a quote, a list, a table or a rule. */
export function escapeLineStarts(written: string): string {
  return written.replace(/^(?=[#>=:+-])/gm, '\\').replace(/^(\d{1,9})(?=[.)])/gm, '$1\\');
}
