import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';
import { unreadableFile } from '../conversion-errors.js';

/** Far more entries than a document with 1 MiB of text needs. */
const MAX_ENTRIES = 2_000;
const MAX_PART_BYTES = 32 * 1024 * 1024;
const MAX_TOTAL_BYTES = 48 * 1024 * 1024;

/** Parts that hold text and structure. Pictures, fonts and macros are not unpacked. */
const TEXT_PARTS = /\.(?:xml|rels)$/i;

const IS_NO_DOCX = 'is not a DOCX document; open it in a word processor and save it as .docx';
const IS_TOO_LARGE = 'is too large when unpacked; remove everything except text, or split it';

/** Rejected anywhere: no word processor writes a DOCTYPE, and its entities could expand without limit. */
const DOCTYPE = Buffer.from('<!DOCTYPE');

const SEPARATORS = ['\u0085', '\u2028'];

/** Parts of a DOCX archive by name. */
export type DocxParts = Record<string, Uint8Array>;

/**
 * Returns the text parts of a DOCX archive. Limits the unpacked size, whatever size the archive claims. Throws
 * `ConversionError` if the file is not a DOCX archive.
 */
export async function readDocxArchive(bytes: Uint8Array): Promise<DocxParts> {
  const parts = await unpack(bytes);
  if (!('word/document.xml' in parts) && !('_rels/.rels' in parts))
    throw unreadableFile(IS_NO_DOCX);
  return parts;
}

async function unpack(bytes: Uint8Array): Promise<DocxParts> {
  const parts: DocxParts = {};
  let total = 0;
  try {
    const archive = await fromBufferPromise(Buffer.from(bytes), { lazyEntries: true });
    if (archive.entryCount > MAX_ENTRIES) throw unreadableFile(IS_TOO_LARGE);
    for await (const entry of archive.eachEntry()) {
      if (!TEXT_PARTS.test(entry.fileName)) continue;
      const part = await unpackPart(archive, entry);
      total += part.length;
      if (total > MAX_TOTAL_BYTES) throw unreadableFile(IS_TOO_LARGE);
      if (part.includes(DOCTYPE)) {
        throw unreadableFile(
          'contains a document type declaration in its XML; save it again with a word processor',
        );
      }
      parts[entry.fileName] = withKeptSeparators(part);
    }
  } catch (error) {
    throw isOurs(error) ? error : unreadableFile(IS_NO_DOCX);
  }
  return parts;
}

/**
 * Writes line separators as character references, because mammoth's parser reads them as line breaks, as only XML 1.1 does.
 */
function withKeptSeparators(part: Buffer): Buffer {
  if (!SEPARATORS.some((character) => part.includes(character))) return part;
  return Buffer.from(
    part
      .toString('utf8')
      .replace(/[\u0085\u2028]/g, (found) => `&#${String(found.charCodeAt(0))};`),
  );
}

async function unpackPart(archive: ZipFile, entry: Entry): Promise<Buffer> {
  // Checks the claimed size first, because that is free. yauzl throws if the stream is longer than claimed.
  if (entry.uncompressedSize > MAX_PART_BYTES) throw unreadableFile(IS_TOO_LARGE);
  if (entry.isEncrypted()) throw unreadableFile('is encrypted; save it without a password');
  const chunks: Buffer[] = [];
  for await (const chunk of await archive.openReadStreamPromise(entry))
    chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function isOurs(error: unknown): boolean {
  return error instanceof Error && error.name === 'ConversionError';
}
