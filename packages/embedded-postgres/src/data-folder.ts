import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Creates a folder that only its owner can enter, and its missing parents. Node's recursive mkdir never returns below
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

/** Returns `undefined` if the folder exists now. */
async function create(path: string): Promise<NodeJS.ErrnoException | undefined> {
  try {
    await mkdir(path, { mode: 0o700 });
    return undefined;
  } catch (error) {
    const failure = error as NodeJS.ErrnoException;
    return failure.code === 'EEXIST' ? undefined : failure;
  }
}
