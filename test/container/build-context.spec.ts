import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';

/** The patterns of .dockerignore after `*`. The last that matches a file or one of its folders decides. */
const rules = readFileSync('.dockerignore', 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => ({ isIncluded: line.startsWith('!'), pattern: line.replace('!', '') }));

const isIncluded = (file: string) =>
  rules.findLast(({ pattern }) => matchesGlob(file, pattern) || matchesGlob(file, `${pattern}/**`))
    ?.isIncluded ?? false;

const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n');
const context = tracked.filter(isIncluded);

/** The files and folders that the Dockerfile copies from the build context. */
const copied = [...readFileSync('Dockerfile', 'utf8').matchAll(/^COPY (?!--from)(.+) \S+$/gm)]
  .flatMap(([, sources = '']) => sources.split(' '))
  .map((source) => source.replace('./', ''));

describe('the build context of the image', () => {
  it('has every file and folder that the Dockerfile copies', () => {
    expect(copied).toContain('src');
    const isThere = (source: string) =>
      context.some((file) => file === source || file.startsWith(`${source}/`));
    expect(copied.filter((source) => !isThere(source))).toEqual([]);
  });

  it('has only what the Dockerfile copies', () => {
    const isCopied = (file: string) =>
      copied.some((source) => file === source || file.startsWith(`${source}/`));
    expect(context.filter((file) => !isCopied(file))).toEqual([]);
  });

  it('has no tests, settings, data, history, packages or builds', () => {
    const created = ['.env', '.git/HEAD', '.data/key', 'node_modules/a/index.js', 'dist/main.js'];
    const packages = [
      'packages/client/node_modules/a/index.js',
      'docs-site/node_modules/a/index.js',
    ];
    const builds = ['docs-site/dist/index.html', 'packages/dashboard/dist/index.html'];
    const tests = tracked.filter((file) => /^test\/|\.spec\.ts$/.test(file));
    expect([...created, ...packages, ...builds, ...tests].filter(isIncluded)).toEqual([]);
  });
});
