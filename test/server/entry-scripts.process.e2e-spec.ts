import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { compiledProgram } from '../support/compiled-program.js';

interface Run {
  exitCode: number;
  stdout: string;
  stderr: string;
}

const node = (args: string[], options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) =>
  new Promise<Run>((resolve) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      resolve({ exitCode: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
    });
  });

describe('a Node.js version that is too old', () => {
  const old = `data:text/javascript,${encodeURIComponent(
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } })`,
  )}`;

  it.each([
    ['npm start', () => ['scripts/run-built.mjs', 'main']],
    ['npm run cli', () => ['scripts/run-built.mjs', 'cli', 'keys', 'list']],
    ['npm run dev', () => ['scripts/dev.mjs']],
    ['npm test', () => ['node_modules/jest/bin/jest.js', '--listTests']],
    ['node dist/main.js', () => [compiledProgram('main')]],
    ['node dist/cli.js', () => [compiledProgram('cli'), '--help']],
  ])(
    'a Node.js version that is too old ends %s with one sentence that says which one to install',
    async (_, args) => {
      const { exitCode, stdout, stderr } = await node(['--import', old, ...args()]);
      expect([exitCode, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(
        /^The Document Service needs Node\.js 20\.19, .*; this is 18\.20\.8\. Install .*\n$/,
      );
    },
  );
});

describe('.env in the working directory', () => {
  let cwd: string;
  beforeEach(async () => {
    cwd = await mkdtemp(path.join(tmpdir(), 'dotenv-'));
  });
  afterEach(() => rm(cwd, { recursive: true, force: true }));

  const script = pathToFileURL(path.resolve('scripts/load-env.mjs')).href;
  const load = (env: NodeJS.ProcessEnv = {}) =>
    node(['--import', script, '-p', 'JSON.stringify(process.env)'], { cwd, env });
  const write = (text: string) => writeFile(path.join(cwd, '.env'), text);

  it('.env in the working directory sets missing variables; the real environment wins, even with an empty value', async () => {
    await write(
      [
        '# A comment',
        '',
        'PORT=4000 # behind it',
        "export NAME='single # quotes'",
        'TEXT="several',
        'lines"',
        'HOST=file',
        'EMPTY=file',
        'SECRETS_KEY=q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=',
      ].join('\r\n'),
    );
    const { stdout, stderr } = await load({ HOST: 'real', EMPTY: '' });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({
      PORT: '4000',
      NAME: 'single # quotes',
      TEXT: 'several\nlines',
      HOST: 'real',
      EMPTY: '',
      SECRETS_KEY: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=',
    });
  });

  it('.env in the working directory can be missing', async () => {
    expect(await load()).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it.each([
    ['PORT=3000\nhunter2\n', 2],
    ['PORT: 3000', 1],
    ['\n\nNAME="hunter2\n', 3],
    ['1NAME=hunter2', 1],
  ])(
    '.env in the working directory that is malformed ends startup with the line number: %j',
    async (text, line) => {
      await write(text);
      const { exitCode, stdout, stderr } = await load();
      expect([exitCode, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(
        new RegExp(`^Line ${String(line)} of .env is not of the form NAME=value .*\n$`),
      );
      expect(stderr).not.toContain('hunter2');
    },
  );

  it('.env in the working directory that cannot be read ends startup with a sentence', async () => {
    await mkdir(path.join(cwd, '.env'));
    expect((await load()).stderr).toMatch(/^\.env cannot be read \(EISDIR\)\. .*\n$/);
    if (process.getuid?.() === 0) return;
    await rm(path.join(cwd, '.env'), { recursive: true });
    await write('PORT=1');
    await chmod(path.join(cwd, '.env'), 0);
    expect((await load()).stderr).toMatch(/^\.env cannot be read \(EACCES\)\. .*\n$/);
  });
});
