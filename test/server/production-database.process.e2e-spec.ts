import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printed, runCli } from '../cli/run-cli.js';
import { spawnService, startService } from '../support/service-process.js';

const KEY = /ds_live_/;

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'document-service-production-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

describe('in production', () => {
  it.each<[string, Record<string, string>]>([
    ['without DATABASE_URL', {}],
    ['with DATABASE_URL misspelled', { DATABSE_URL: 'postgres://user:hunter2@127.0.0.1:1/x' }],
  ])('the service %s ends with a sentence and creates no database', async (_, variables) => {
    const service = spawnService({ DATA_DIR: dataDir, EMBEDDED_DATABASE: '', ...variables });
    await once(service.child, 'close');
    expect(service.child.exitCode).toBe(1);
    expect(service.output()).toMatch(/DATABASE_URL is required in production/);
    expect(service.output()).not.toMatch(/hunter2/);
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('the command line does not create a database next to the real one either', async () => {
    const production = { DATA_DIR: dataDir, NODE_ENV: 'production', EMBEDDED_DATABASE: '' };
    const run = await runCli(production, 'keys', 'create', '--email', 'ada@example.com');
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toMatch(/DATABASE_URL is required in production/);
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('the embedded database, requested explicitly, creates no account and prints no key', async () => {
    const production = { DATA_DIR: dataDir, NODE_ENV: 'production', EMBEDDED_DATABASE: 'true' };
    const service = await startService(production);
    expect(await service.end()).toBe(0);
    expect(service.output()).not.toMatch(KEY);
    expect(service.output().split('\n')).toHaveLength(service.log().length);
    expect(printed(await runCli(production, 'keys', 'list', '--json'))).toEqual([]);
    const made = await runCli(production, 'keys', 'create', '--email', 'ada@example.com');
    expect(made.stdout).toMatch(KEY);
  });
});
