import { unreadableFile } from './conversion-errors.js';

/** Finds the encoding that HTML names. */
const META_CHARSET = /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w:.-]{1,40})/i;
const META_WITHIN_BYTES = 2048;

const BYTE_ORDER_MARKS: readonly [string, readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * Decodes a file by its byte order mark (which is removed), else in the given encoding, else as UTF-8. Throws
 * `ConversionError` if the bytes are invalid in that encoding.
 */
export function decodeText(bytes: Uint8Array, charset?: string): string {
  const [marked] =
    BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, index) => bytes[index] === byte)) ?? [];
  const encoding = marked ?? charset ?? 'utf-8';
  const decoder = decoderFor(encoding);
  try {
    return decoder.decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw unreadableFile(`is not valid ${encoding.toUpperCase()}; save it as UTF-8`);
  }
}

/** Decodes HTML like {@link decodeText}, in the encoding that the page names. */
export function decodeHtml(bytes: Uint8Array): string {
  const beginning = new TextDecoder('latin1').decode(bytes.subarray(0, META_WITHIN_BYTES));
  const named = META_CHARSET.exec(beginning)?.[1];
  // A page whose UTF-16 declaration is readable is not in UTF-16.
  const own = named === undefined || /^utf-?16/i.test(named) ? undefined : named;
  return decodeText(bytes, own);
}

function decoderFor(encoding: string) {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    throw unreadableFile(`names the unknown charset ${encoding}; save it as UTF-8`);
  }
}
