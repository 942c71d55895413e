import anyAscii from 'any-ascii';
import { create } from 'content-disposition';
import type { Response } from 'express';

/** Maximum length in characters and in bytes. With an extension, every file system accepts it. */
const MAX_CHARACTERS = 80;
const MAX_BYTES = 240;

/** Characters that file systems reject, and invisible characters that can disguise a name. */
const UNSAFE =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f<>:"/\\|?*\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\uffff]+/g;

/** Names that Windows reserves for devices, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$)(?=\.|$)/i;

/** Some browsers decode it in a plain `filename`. */
const PERCENT_ENCODED = /%(?=[\da-f]{2})/gi;

/** Returns a safe file name for a title: no path, no invisible characters, limited length. */
export function fileNameOf(title: string, extension: string): string {
  return `${safeStem(title)}.${extension}`;
}

/**
 * Returns a file name in ASCII that stands for another one: `Ubersicht - Lodz.pdf` for `Übersicht – Łódź.pdf`. Other
 * scripts are romanized.
 */
export function asciiFileName(fileName: string): string {
  const dot = fileName.lastIndexOf('.');
  const ascii = anyAscii(fileName.slice(0, dot)).replace(PERCENT_ENCODED, ' ');
  return safeStem(ascii) + fileName.slice(dot);
}

/** Makes browsers save the response under this name. Clients that do not know RFC 8187 get the ASCII name. */
export function setFileName(response: Response, fileName: string): void {
  const header = create(fileName, { fallback: asciiFileName(fileName) });
  response.setHeader('Content-Disposition', header);
}

/** Returns a name without an extension for a file or folder, like {@link fileNameOf}. */
export function safeStem(text: string): string {
  const cleaned = text.replace(UNSAFE, ' ').replace(/\s+/g, ' ').trim();
  const name = shortened(cleaned).replace(/^[. ]+|[. ]+$/g, '');
  return name === '' ? 'document' : name.replace(RESERVED, '_$&');
}

function shortened(text: string): string {
  let short = '';
  for (const character of Array.from(text).slice(0, MAX_CHARACTERS)) {
    if (Buffer.byteLength(short + character) > MAX_BYTES) break;
    short += character;
  }
  return short;
}
