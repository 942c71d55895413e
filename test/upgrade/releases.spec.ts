import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { commitOf } from './build-commit.js';
import { releases } from './releases.js';

const CHECKSUMS = 'src/migrations/checksums.json';

function hasHistory(): boolean {
  try {
    const shallow = execFileSync('git', ['rev-parse', '--is-shallow-repository'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return shallow.trim() === 'false';
  } catch {
    return false;
  }
}

(hasHistory() ? describe : describe.skip)('The commit of a release', () => {
  it.each(releases())(
    'of $version is in the history, so that its build can run next to a new one',
    (release) => {
      expect(commitOf(release)).toMatch(/^[0-9a-f]{40}$/);
    },
  );

  it('has the same migrations if the commit itself was squashed away', () => {
    const checksums = JSON.parse(readFileSync(CHECKSUMS, 'utf8')) as Record<string, string>;
    const commit = '0'.repeat(40);
    expect(commitOf({ commit, checksums })).toMatch(/^[0-9a-f]{40}$/);
    expect(commitOf({ commit, checksums: { Other1: 'x' } })).toBeUndefined();
  });
});
