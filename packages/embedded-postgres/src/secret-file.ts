import { randomUUID } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Keeps `text` in a file that only this user reads, in place of an older one. A killed process leaves either whole. */
export async function replaceSecretFile(path: string, text: string): Promise<void> {
  await withWritten(path, text, (written) => rename(written, path));
}

/** Keeps `text` like {@link replaceSecretFile}, but only where no file is yet: of several at once, one wins. */
export async function createSecretFile(path: string, text: string): Promise<void> {
  await withWritten(path, text, async (written) => {
    await link(written, path).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
  });
}

/** Writes a file beside `path`, puts it in place when it is whole and on the disk, and leaves nothing beside it. */
async function withWritten(
  path: string,
  text: string,
  putInPlace: (written: string) => Promise<void>,
): Promise<void> {
  const unfinished = `${path}.${randomUUID()}`;
  try {
    const file = await open(unfinished, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await putInPlace(unfinished);
  } finally {
    await rm(unfinished, { force: true });
  }
  const folder = await open(dirname(path));
  await folder.sync().finally(() => folder.close());
}
