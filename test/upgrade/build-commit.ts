import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Release } from './releases.js';

const CHECKSUMS = 'src/migrations/checksums.json';

const git = (...words: string[]) =>
  execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/**
 * Returns the commit of a release: the one that its dump was made with, or, where that one was squashed or rebased away, the
 * newest one with the same migrations. `undefined` where this checkout has neither.
 */
export function commitOf({ commit, checksums }: Pick<Release, 'commit' | 'checksums'>) {
  try {
    if (isInHistory(commit)) return commit;
    const changes = git('rev-list', 'HEAD', '--', CHECKSUMS).split('\n').filter(Boolean);
    const same = changes.findIndex((change) =>
      isDeepStrictEqual(JSON.parse(git('show', `${change}:${CHECKSUMS}`)), checksums),
    );
    if (same === -1) return undefined;
    return git('rev-parse', same === 0 ? 'HEAD' : `${String(changes[same - 1])}^`);
  } catch {
    // No checkout of Git, or one without its history.
    return undefined;
  }
}

function isInHistory(commit: string): boolean {
  try {
    git('merge-base', '--is-ancestor', commit, 'HEAD');
    return true;
  } catch {
    return false;
  }
}

/**
 * Compiles the service as it was at `commit` and returns the folder of `main.js` and `cli.js`. It runs with the packages of
 * this checkout.
 */
export function buildCommit(commit: string): string {
  // In the project, where it finds node_modules.
  mkdirSync('.tmp', { recursive: true });
  const folder = mkdtempSync(join('.tmp', 'build-'));
  const files = ['src', 'package.json', '.swcrc', 'openapi.json', 'openapi.dashboard.json'];
  const archive = execFileSync('git', ['archive', commit, ...files], { maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  const swc = join('..', '..', 'node_modules', '@swc', 'cli', 'bin', 'swc.js');
  const options = [
    '-d',
    'dist',
    '--strip-leading-paths',
    '--copy-files',
    '--config-file',
    '.swcrc',
  ];
  execFileSync(process.execPath, [swc, 'src', ...options], { cwd: folder, stdio: 'pipe' });
  return join(folder, 'dist');
}
