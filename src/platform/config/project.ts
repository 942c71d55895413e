import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The folder of the service's package.json, in the checkout or the image. Other files are found relative to it, because
 * source files and compiled modules have different depths.
 */
export const PROJECT_ROOT = rootAbove(import.meta.dirname);

function rootAbove(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('There is no package.json above the program.');
  return rootAbove(parent);
}

/** The version in package.json; a test compares both. */
export const SERVICE_VERSION = '1.0.0';
