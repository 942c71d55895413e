import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder that only its owner may enter, and its missing parents. Node's own recursive mkdir never returns below
 * /proc.
 */
export async function createDataFolder(path: string): Promise<void> {
  const failure = await create(path);
  if (failure === undefined) return;
  const parent = dirname(path);
  if (failure.code !== 'ENOENT' || parent === path) throw failure;
  await createDataFolder(parent);
  const second = await create(path);
  if (second) throw second;
}

/** `undefined` when the folder is there now. */
async function create(path: string): Promise<NodeJS.ErrnoException | undefined> {
  try {
    await mkdir(path, { mode: 0o700 });
    return undefined;
  } catch (error) {
    const failure = error as NodeJS.ErrnoException;
    return failure.code === 'EEXIST' ? undefined : failure;
  }
}
