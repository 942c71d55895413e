import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReleaseContent } from './release-content.js';

/** Each release has a folder below this one, which `npm run release:dump` writes. */
const FOLDER = 'test/upgrade';

/** `release.json` of a folder. */
export interface Release {
  /** Such as `1.0.0`; of a build before a release, its name. */
  version: string;
  /** The commit that the dump was made with. */
  commit: string;
  /** ISO 8601. */
  madeAt: string;
  /** The checksum of each migration that the release has, by name. */
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
