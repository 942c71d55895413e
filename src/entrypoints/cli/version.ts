import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { print, show } from './output.js';

interface Manifest {
  name?: string;
  version?: string;
}

/** Prints the release of this program. */
export function printVersion(): void {
  const version = versionAbove(import.meta.dirname);
  show({ version, node: process.versions.node }, () => {
    print(version);
  });
}

/** The version in the nearest package.json of the service, which stands beside the built program's folder. */
function versionAbove(folder: string): string {
  try {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
    if (manifest.name === 'document-service' && manifest.version) return manifest.version;
  } catch {
    // Not here; further up.
  }
  const parent = dirname(folder);
  return parent === folder ? 'unknown' : versionAbove(parent);
}
