/** Number of characters to show of an ID after its prefix. The end distinguishes IDs of the same time. */
const SHOWN = 6;

/** Returns `doc_…9q4w7z`. */
export function shortId(id: string): string {
  return `${id.slice(0, id.indexOf('_') + 1)}…${id.slice(-SHOWN)}`;
}
