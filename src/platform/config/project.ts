import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The folder of the service's own package.json: that of the checkout, or of the image. Files outside of the compiled program
 * are found from here, because sources and compiled modules lie at different depths.
 */
export const PROJECT_ROOT = rootAbove(import.meta.dirname);

function rootAbove(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('No package.json above the program.');
  return rootAbove(parent);
}

/** That of package.json, which a test compares. */
export const SERVICE_VERSION = '1.0.0';
