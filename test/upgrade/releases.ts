import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReleaseContent } from './release-content.js';

/** `npm run release:dump` writes a folder for each release. */
const FOLDER = 'test/upgrade';

/** `release.json` of a folder. */
export interface Release {
  /** Version such as `1.0.0`, or the name of a build before the release. */
  version: string;
  /** The commit that the dump was made with. */
  commit: string;
  /** ISO 8601. */
  madeAt: string;
  /** Checksums of the release's migrations by name. */
  checksums: Record<string, string>;
  content: ReleaseContent;
}

/** Returns the releases that have a dump, oldest first. */
export function releases(): (Release & { folder: string })[] {
  return readdirSync(FOLDER)
    .map((name) => join(FOLDER, name))
    .filter((folder) => existsSync(join(folder, 'release.json')))
    .map((folder) => ({
      folder,
      ...(JSON.parse(readFileSync(join(folder, 'release.json'), 'utf8')) as Release),
    }))
    .sort((a, b) => a.madeAt.localeCompare(b.madeAt));
}
