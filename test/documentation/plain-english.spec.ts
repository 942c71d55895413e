import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Phrases that read like a literal translation, with what to write instead.
 */
const BANNED: readonly (readonly [phrase: RegExp, instead: string])[] = [
  [/\bof (ours|yours|theirs)\b/, 'our, your, their'],
  [/\b(that|which|it) (is|are) none\b/, 'is not, are not, no …'],
  [/\b(is|are|was|were|be|been|being) told (of|about|by|to)\b/, 'is notified, learns'],
  [/\btold of\b/, 'notified of, reported'],
  [/\bowe[ds]\b/, 'due, pending'],
  [/\bmend(s|ed|ing)?\b/, 'fix'],
  [/\btak(e|es|en|ing) away\b/, 'remove'],
  [/\bwhoever\b/, 'the client that …, anyone who …'],
  [/\bnobody (gets|has|knows|hears|asks)\b/, 'say what happens'],
  [/\bever so\b/, 'drop it'],
  [/\banew\b/, 'again'],
  [/\bfor good\b/, 'permanently'],
  [/\bis no more\b/, 'ends, stops, no longer exists'],
  [/\bof which there (is|are)\b/, 'use a relative clause with a verb'],
  [/\bas (many|much|long|far) as there (is|are)\b/, 'all'],
  [/\breach(es)? (no )?further than\b/, 'exceed'],
  [/\blets? go of\b/, 'release'],
  [/\bhas nothing to say\b/, 'returns nothing'],
  [/\bstands in no\b/, 'is in no'],
  [/\bthis did not work\b/i, "couldn't …"],
];

const SEARCHED = [
  'src',
  'packages/client/src',
  'packages/conversion/src',
  'packages/embedded-postgres/src',
  'packages/text-analysis/src',
  'scripts',
  'docs',
  'README.md',
  'packages/client/README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
];
const SKIPPED = /^src\/migrations\/|\.spec\.ts$|\.txt$|\/starters\/|\/texts\/|\.json$/;

describe('The prose of the repository', () => {
  it('uses none of the banned phrases', () => {
    const files = execFileSync('git', ['ls-files', '--', ...SEARCHED], { encoding: 'utf8' });
    const found = files
      .split('\n')
      .filter((file) => file !== '' && !SKIPPED.test(file))
      .flatMap(problemsIn);
    expect(found).toEqual([]);
  });
});

function problemsIn(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      BANNED.filter(([phrase]) => phrase.test(line)).map(
        ([phrase, instead]) =>
          `${file}:${String(index + 1)}: ${phrase.exec(line)?.[0] ?? ''} → ${instead}`,
      ),
    );
}
