import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import * as ts from 'typescript';

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

/** Phrases that no string of the dashboard contains, with what to write instead. */
const BANNED_ON_SCREEN: readonly (readonly [phrase: RegExp, instead: string])[] = [
  ...BANNED,
  [/this account has written or taken in/i, 'All documents in this account.'],
  [/^in use$/i, 'Active'],
  [/^counts$/i, 'Filters'],
  [/ask for review/i, 'Request review'],
  [/what you (had|have) not saved/i, 'Unsaved changes restored.'],
  [/you may read it only/i, 'Read only'],
  [/changed last/i, 'Last edited'],
  [/nothing is written yet/i, 'Nothing here yet.'],
  [/this page failed/i, 'Something went wrong. Reload the page.'],
  [/the service (is away|cannot be reached)/i, "Can't reach the server"],
  [/requests of your plan/i, 'Rate limits'],
  [/you have done all of them/i, 'Setup complete.'],
  [/\bin force\b/i, 'active'],
  [/tells a program/i, 'Webhooks send events to your server as signed HTTP requests.'],
  [/what programs asked/i, "API requests made with this account's keys."],
  [/nobody is invited/i, 'No pending invitations.'],
  [/taken? back/i, 'revoke, undo'],
  [/not told again/i, 'Suggestion dismissed.'],
  [/what you changed of/i, 'You have unsaved changes.'],
  [/the same place as you/i, '{name} also changed this.'],
  [/is a document of its own/i, 'Copy created.'],
  [/empty (is|allows|for never)\b|\bempty:/i, 'Leave empty for …'],
  [/version so far/i, 'No earlier versions.'],
  [/nothing matches/i, 'No results. Remove a filter.'],
  [/work in the background/i, 'Exports, imports and other background jobs.'],
  [/end of the account/i, 'Delete account'],
  [/signed in nowhere/i, 'No other active sessions'],
  [/your password first/i, 'Confirm your password to continue.'],
  [/no further scopes/i, "Scopes can't be added to an existing key."],
  [/fall of the score/i, 'Notify when the score drops by'],
  [/tried again/i, 'next attempt'],
  [/make yourself/i, 'Create your account'],
  [/nothing has (come|happened)/i, 'No … yet.'],
  [/did not (take|work)/i, "failed, couldn't …"],
  [/\b(some|any|no|every)body\b/i, 'someone, anyone, no one, everyone'],
  [/\bwho runs this service\b/i, 'your operator'],
  [/\b(one|times) an? (line|hour|day|minute)\b/i, 'per …'],
  [/\be-mail\b/i, 'email'],
  [/colour|analys(ed|ing)\b/i, 'American spelling'],
];

const SEARCHED = [
  'src',
  'packages/client/src',
  'packages/conversion/src',
  'packages/embedded-postgres/src',
  'packages/text-analysis/src',
  'packages/text-merge/src',
  'scripts',
  'docs',
  'README.md',
  'packages/client/README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
];
/** Also skips word lists, data, and the lists of rules, whose examples are wrong on purpose. */
const SKIPPED =
  /^src\/migrations\/|\.spec\.ts$|\.(?:txt|bin|json)$|\/starters\/|\/texts\/|\/analysis-rules[a-z-]*\.md$/;

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

describe('The strings of the dashboard', () => {
  const files = execFileSync('git', ['ls-files', '--', 'packages/dashboard/src'], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => /\.tsx?$/.test(file) && !/\/api\/.*-schema\.ts$/.test(file));

  it('contain none of the banned phrases', () => {
    const found = files.flatMap((file) =>
      stringsIn(file, readFileSync(file, 'utf8')).flatMap(({ text, line }) =>
        problemsWith(text, BANNED_ON_SCREEN, `${file}:${String(line)}`),
      ),
    );
    expect(found).toEqual([]);
  });

  it('are found in elements, attributes, literals and templates, but not in comments', () => {
    const source = [
      '/** Nobody. */',
      'const a = <p title="One a line">Every<b>body</b> {`Tried ${again} again`}</p>;',
      "const b = 'In force'; // anew",
    ].join('\n');
    expect(stringsIn('a.tsx', source).map(({ text }) => text)).toEqual([
      'One a line',
      'Every',
      'body',
      'Tried … again',
      'In force',
    ]);
  });
});

function problemsIn(file: string): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => problemsWith(line, BANNED, `${file}:${String(index + 1)}`));
}

function problemsWith(text: string, banned: typeof BANNED, place: string): string[] {
  return banned
    .filter(([phrase]) => phrase.test(text))
    .map(([phrase, instead]) => `${place}: ${phrase.exec(text)?.[0] ?? ''} → ${instead}`);
}

/** Returns the strings of a source file, with `…` for each value in a template. Module names are left out. */
function stringsIn(file: string, source: string): { text: string; line: number }[] {
  const found: { text: string; line: number }[] = [];
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    const text = textOf(node)?.replace(/\s+/g, ' ').trim();
    if (text !== undefined && text !== '') {
      found.push({ text, line: tree.getLineAndCharacterOfPosition(node.getStart()).line + 1 });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isJsxText(node) || ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return undefined;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…');
}
