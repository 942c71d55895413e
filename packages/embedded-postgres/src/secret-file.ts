import { randomUUID } from 'node:crypto';
import { link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Writes `text` to a file that only this user can read, atomically replacing an older one. */
export async function replaceSecretFile(path: string, text: string): Promise<void> {
  await withWritten(path, text, (written) => rename(written, path));
}

/** Like {@link replaceSecretFile}, but fails if the file exists, so one of several simultaneous calls wins. */
export async function createSecretFile(path: string, text: string): Promise<void> {
  await withWritten(path, text, async (written) => {
    await link(written, path).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
  });
}

/** Writes a temporary file, flushes it, moves it into place, and removes the temporary file. */
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
