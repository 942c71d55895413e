import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { transform } from '@swc/core';
import { compiledFile } from './compiled-program.js';

/** The compiled service with some files replaced or added. */
export interface EditedService {
  folder: string;
  remove(): Promise<void>;
}

/** Copies the service that global-setup compiled, and compiles only `files` into it: paths (`src/….ts`) with their texts. */
export async function editService(files: ReadonlyMap<string, string>): Promise<EditedService> {
  await mkdir('.tmp', { recursive: true });
  // At the same depth as the service that all other tests start.
  const folder = await mkdtemp('.tmp/edited-service-');
  await cp(compiledFile(''), folder, { recursive: true });
  for (const [path, text] of files) {
    const target = join(folder, path.replace(/^src\//, '').replace(/\.ts$/, '.js'));
    const { code } = await transform(text, { configFile: resolve('.swcrc'), filename: path });
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, code);
  }
  return { folder, remove: () => rm(folder, { recursive: true }) };
}
