import { Zip, ZipDeflate } from 'fflate';

export interface ZippedFile {
  /** Unique in the zip, with `/` between folders. */
  path: string;
  content: string;
  changedAt: Date;
}

/** A zip without the extension ZIP64 has at most this many files. */
export const MAX_ZIP_FILES = 65_535;
/** A zip without the extension ZIP64 is smaller than this. */
export const MAX_ZIP_BYTES = 4 * 1024 ** 3 - 1;

/** Yields the bytes of a zip of files, one file at a time. Keep to {@link MAX_ZIP_FILES} and {@link MAX_ZIP_BYTES}. */
export async function* zipOf(files: AsyncIterable<ZippedFile>): AsyncGenerator<Buffer> {
  const written: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    // The types say that it is always set.
    if (error as Error | null) throw error as Error;
    written.push(bytes);
  });
  for await (const { path, content, changedAt } of files) {
    const file = new ZipDeflate(path);
    file.mtime = changedAt;
    zip.add(file);
    file.push(Buffer.from(content), true);
    yield Buffer.concat(written.splice(0));
  }
  zip.end();
  yield Buffer.concat(written);
}
