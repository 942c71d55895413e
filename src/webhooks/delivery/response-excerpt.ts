/** Most bytes of an answer that are kept, as text. */
export const MAX_EXCERPT_BYTES = 16 * 1024;
const MAX_HEADERS = 50;
const MAX_HEADER_BYTES = 8 * 1024;
/** Of one value: a long one must not hide the headers behind it. */
const MAX_VALUE_LENGTH = 1024;
/** What a receiver means for a browser or another service is none of ours to keep. */
const PRIVATE_HEADERS = new Set(['set-cookie', 'set-cookie2', 'authentication-info']);

/**
 * The beginning of an answer as text that PostgreSQL can keep: at most 16 KiB of UTF-8 without U+0000. Bytes that are no
 * UTF-8 become U+FFFD; compressed answers are not unpacked.
 */
export function excerptOf(bytes: Buffer): string {
  const text = bytes.subarray(0, MAX_EXCERPT_BYTES).toString('utf8').replaceAll('\0', '\ufffd');
  // A replacement takes three bytes for the one it stands for.
  return Buffer.from(text, 'utf8')
    .subarray(0, MAX_EXCERPT_BYTES)
    .toString('utf8')
    .replace(/\ufffd$/, '');
}

/** The headers of an answer, bounded in number and size. */
export function keptHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const kept: [string, string][] = [];
  let bytes = 0;
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || PRIVATE_HEADERS.has(name)) continue;
    const text = shortened(String(value)).replaceAll('\0', '\ufffd');
    bytes += name.length + text.length;
    if (kept.length === MAX_HEADERS || bytes > MAX_HEADER_BYTES) break;
    kept.push([name, text]);
  }
  return Object.fromEntries(kept);
}

function shortened(value: string): string {
  return value.length > MAX_VALUE_LENGTH ? `${value.slice(0, MAX_VALUE_LENGTH - 1)}…` : value;
}
