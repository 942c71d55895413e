import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Release } from './releases.js';

/** Current location of the checksums of migrations, and their location in release 1.0.0. */
const CHECKSUMS = ['src/migrations/checksums.json', 'src/database/migrations/checksums.json'];

const git = (...words: string[]) =>
  execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/**
 * Returns the commit of a release: the one that its dump was made with or, if that was squashed or rebased away, the
 * newest one with the same migrations. `undefined` if this checkout has neither.
 */
export function commitOf({ commit, checksums }: Pick<Release, 'commit' | 'checksums'>) {
  try {
    if (isInHistory(commit)) return commit;
    const changes = git('rev-list', 'HEAD', '--', ...CHECKSUMS)
      .split('\n')
      .filter(Boolean);
    const same = changes.findIndex((change) => isDeepStrictEqual(checksumsAt(change), checksums));
    if (same === -1) return undefined;
    return git('rev-parse', same === 0 ? 'HEAD' : `${String(changes[same - 1])}^`);
  } catch {
    // Not a Git checkout, or one without history.
    return undefined;
  }
}

function checksumsAt(commit: string): unknown {
  const path = git('ls-tree', '-r', '--name-only', commit, '--', ...CHECKSUMS);
  return path === '' ? undefined : JSON.parse(git('show', `${commit}:${path}`));
}

function isInHistory(commit: string): boolean {
  try {
    git('merge-base', '--is-ancestor', commit, 'HEAD');
    return true;
  } catch {
    return false;
  }
}

const SWC = resolve('node_modules', '@swc', 'cli', 'bin', 'swc.js');
const FILES = ['src', 'package.json', '.swcrc', 'openapi.json', 'openapi.dashboard.json'];

/**
 * Compiles the service and its packages as of `commit`. Returns the folder of `main.js` and `cli.js`, which run with the
 * npm packages of this checkout.
 */
export function buildCommit(commit: string): string {
  // In the project, where it finds node_modules.
  mkdirSync('.tmp', { recursive: true });
  const folder = resolve(mkdtempSync(join('.tmp', 'build-')));
  const hasPackages = git('ls-tree', '--name-only', commit, 'packages') !== '';
  const files = hasPackages ? [...FILES, 'packages'] : FILES;
  const archive = execFileSync('git', ['archive', commit, ...files], { maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  compile(folder, folder);
  for (const name of hasPackages ? readdirSync(join(folder, 'packages')) : []) {
    const root = join(folder, 'packages', name);
    const { name: fullName, scripts } = JSON.parse(
      readFileSync(join(root, 'package.json'), 'utf8'),
    ) as { name: string; scripts?: { build?: string } };
    if (!scripts?.build?.startsWith('swc')) continue;
    compile(root, folder);
    const link = join(folder, 'node_modules', fullName);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(root, link);
  }
  return join(folder, 'dist');
}

/** Compiles `src` in the folder `root` into `dist`, with the settings in `settings`. */
function compile(root: string, settings: string): void {
  const options = ['-d', 'dist', '--strip-leading-paths', '--copy-files'];
  execFileSync(
    process.execPath,
    [SWC, 'src', ...options, '--config-file', join(settings, '.swcrc')],
    { cwd: root, stdio: 'pipe' },
  );
}
