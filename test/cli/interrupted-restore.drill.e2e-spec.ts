import { spawn } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ApiClient } from '../support/api-client.js';
import { bundledProgram } from '../support/compiled-program.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { printed, runCli, startCli } from './run-cli.js';

/** Each command is a process that starts a separate database. */
jest.setTimeout(240_000);

let folder: string;
let service: ServiceProcess | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'document-service-restore-'));
});
afterEach(() => service?.end());
afterAll(() => rm(folder, { recursive: true, force: true }));

const path = (...names: string[]) => join(folder, ...names);
const on = (dataDir: string, ...args: string[]) => runCli({ DATA_DIR: path(dataDir) }, ...args);
const keyFile = () => readFile(path('old', 'secrets.key'), 'utf8');

async function start(dataDir: string): Promise<ServiceProcess> {
  service = await startService({
    DATA_DIR: path(dataDir),
    NODE_ENV: 'development',
    WEBHOOK_RETRY_SCHEDULE: '0,3600',
  });
  return service;
}

async function postgresPid(): Promise<number> {
  return Number.parseInt(await readFile(path('old', 'postgres', 'postmaster.pid'), 'utf8'));
}

/** Starts a restore over the old installation. Returns when the key file is written and the commit is waiting. */
async function restoreUntilCommit(keysBefore: string) {
  await writeFile(path('old', 'secrets.key'), keysBefore);
  const restore = startCli(
    {
      DATA_DIR: path('old'),
      SECRETS_KEY: '',
      NODE_OPTIONS: `--import ${resolve('test/support/hold-commit.mjs')}`,
    },
    'restore',
    path('new.backup'),
    '--replace',
  );
  await eventually(async () => (await keyFile()) !== keysBefore);
  return restore;
}

describe('A restore that does not commit', () => {
  let accountKey: string;
  let before: string;

  beforeAll(async () => {
    const [, demo] = await Promise.all([
      (async () => {
        printed(await on('new', 'demo', '--documents', '5', '--json'));
        printed(await on('new', 'backup', path('new.backup'), '--json'));
      })(),
      (async () => {
        const made = printed(await on('old', 'demo', '--documents', '5', '--json')) as {
          accountId: string;
          key: string;
        };
        printed(await on('old', 'accounts', 'plan', made.accountId, 'enterprise', '--json'));
        return made;
      })(),
    ]);
    accountKey = demo.key;
    before = await keyFile();
  });

  /** Expects that the old installation starts and signs a delivery with a secret that only its key decrypts. */
  async function expectOldInstallation(): Promise<void> {
    const { origin } = await start('old');
    const api = new ApiClient(origin, accountKey);
    expect((await api.listDocuments()).status).toBe(200);
    const webhooks = (await api.listWebhooks()).body.data as { id: string; url: string }[];
    const receiver = webhooks.find(({ url }) => url.includes('/dashboard/receivers/'))?.id ?? '';
    const delivery = expectSuccess(await api.testWebhook(receiver), 202) as { id: string };
    await eventually(
      async () => expectSuccess(await api.readDelivery(receiver, delivery.id)),
      (read) => (read as { status: string }).status === 'succeeded',
    );
    await service?.end();
  }

  it('A restore that does not commit keeps the old key when PostgreSQL is lost', async () => {
    const restore = await restoreUntilCommit(before);
    process.kill(await postgresPid(), 'SIGKILL');
    const said = await restore.line('stderr');
    expect(said).not.toMatch(/^\s+at /);
    await eventually(() => Promise.resolve(restore.child.exitCode === 1));
    await expectOldInstallation();
  });

  it('A restore that does not commit keeps the old key when the command is killed', async () => {
    const restore = await restoreUntilCommit(before);
    await restore.end('SIGKILL');
    await expectOldInstallation();
  });

  it('A restore that does not commit succeeds when it is run again, and leaves only the key of the backup', async () => {
    printed(await on('old', 'restore', path('new.backup'), '--replace', '--json'));
    expect(await keyFile()).toBe(await readFile(path('new', 'secrets.key'), 'utf8'));
    await start('old');
  });
});

describe('The command line', () => {
  it('The command line removes what a killed backup left an hour ago, and names files that may still be in use', async () => {
    const left = path('x.unfinished-backup');
    const recent = path('y.unfinished-backup');
    await Promise.all([writeFile(left, ''), writeFile(recent, '')]);
    const past = Date.now() / 1_000 - 3_601;
    await utimes(left, past, past);
    const run = await on('new', 'backup', path('late.backup'));
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toContain(`Removed ${left}, which a killed backup left behind.\n`);
    expect(run.stderr).toContain(
      `${recent} belongs to a backup that is still running or was killed.`,
    );
    expect(await readdir(folder)).not.toContain('x.unfinished-backup');
    expect(await readdir(folder)).toContain('y.unfinished-backup');
  });

  it('The command line finishes silently when nobody reads its output any more', async () => {
    const child = spawn(process.execPath, [bundledProgram('cli'), 'doctor'], {
      env: { ...process.env, DATABASE_URL: '', SECRETS_KEY: '', DATA_DIR: path('new') },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => (said += String(chunk)));
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect(said).toBe('');
    expect([0, 1]).toContain(code);
  });
});
