import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import { startEmbeddedPostgres } from '@document-service/embedded-postgres/start-embedded-postgres';
import { eventually } from '../support/eventually.js';
import { runOn } from '../support/postgres.js';
import { spawnService, startService } from '../support/service-process.js';
import { printed, runCli, startCli } from './run-cli.js';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'document-service-cli-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const createKey = async (email: string) =>
  printed(await runCli({ DATA_DIR: dataDir }, 'keys', 'create', '--email', email, '--json')) as {
    key: string;
    keyId: string;
  };

/** Returns the process id of the PostgreSQL that runs on the folder, which is the first line of its pid file. */
async function runningPostgres(): Promise<number | undefined> {
  const file = join(dataDir, 'postgres', 'postmaster.pid');
  const pid = Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10);
  return pid > 0 && isRunning(pid) ? pid : undefined;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('the command line on the embedded database', () => {
  it('the command line on the embedded database works while the service runs and afterwards', async () => {
    const service = await startService({ DATA_DIR: dataDir });
    const before = await createKey('before@example.com');
    const statusWith = async (key: string) => {
      const headers = { authorization: `Bearer ${key}` };
      const { statusCode, body } = await request(`${service.origin}/v1/documents`, { headers });
      await body.dump();
      return statusCode;
    };
    try {
      expect(await statusWith(before.key)).toBe(200);
      const beside = await createKey('beside@example.com');
      expect(await statusWith(beside.key)).toBe(200);
      await runCli({ DATA_DIR: dataDir }, 'keys', 'revoke', before.keyId);
      expect(await statusWith(before.key)).toBe(401);
    } finally {
      await service.end();
    }
    const after = await createKey('after@example.com');
    const listed = printed(await runCli({ DATA_DIR: dataDir }, 'keys', 'list', '--json')) as {
      id: string;
    }[];
    expect(listed.map(({ id }) => id)).toContain(after.keyId);
    expect(listed).toHaveLength(3);
  });

  it('the command line on the embedded database stops the database that it started when a signal ends it, and leaves no unfinished backup', async () => {
    printed(await runCli({ DATA_DIR: dataDir }, 'demo', '--documents', '1', '--json'));
    const file = join(dataDir, 'one.backup');
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      const command = startCli({ DATA_DIR: dataDir }, 'backup', file);
      const pid = await eventually(runningPostgres);
      expect(await command.end(signal)).toBe({ SIGTERM: 143, SIGINT: 130, SIGHUP: 129 }[signal]);
      await eventually(() => pid !== undefined && !isRunning(pid));
    }
    const left = await readdir(dataDir);
    expect(left.filter((name) => name.startsWith('one.backup'))).toEqual([]);
    await createKey('second@example.com');
  });

  it('the command line on the embedded database refuses a data folder of an older build like the service does, and names it', async () => {
    const older = await startEmbeddedPostgres({ dataDir });
    await runOn(
      older.url,
      `CREATE TABLE migrations (id serial PRIMARY KEY, timestamp bigint NOT NULL, name varchar NOT NULL)`,
    );
    await runOn(
      older.url,
      `INSERT INTO migrations (timestamp, name) VALUES (1760000001000, 'FirstTables1760000001000')`,
    );
    await older.stop();
    const sentence = `The database in ${dataDir} was created by a build from before release 1.0.0 (migration FirstTables1760000001000), which cannot be upgraded: export its accounts with that build and import them into an empty data folder (DATA_DIR), as docs/operate/upgrade.md describes.`;
    for (const command of [['migrate'], ['keys', 'list']]) {
      const { exitCode, stderr } = await runCli({ DATA_DIR: dataDir }, ...command);
      expect([exitCode, stderr]).toEqual([1, `${sentence}\n`]);
    }
    const service = spawnService({ DATA_DIR: dataDir });
    await once(service.child, 'close');
    expect(service.child.exitCode).toBe(1);
    expect(service.output()).toContain(sentence);
  });
});

describe('the URL of the service in the output of commands', () => {
  const link = async (variables: Record<string, string> = {}) => {
    const run = await runCli({ DATA_DIR: dataDir, ...variables }, 'users', 'link', '--json');
    return (printed(run) as { link: string }).link.split('/dashboard/')[0];
  };
  const port = async () => {
    const run = await runCli({ DATA_DIR: dataDir }, 'doctor', '--json');
    const { findings } = JSON.parse(run.stdout) as {
      findings: { check: string; state: string; text: string }[];
    };
    return findings.find(({ check }) => check === 'port');
  };

  it('the URL of the service in the output of commands is that of the service that runs on the data folder, until it ends, however it ends', async () => {
    const service = await startService({ DATA_DIR: dataDir });
    const own = `http://localhost:${String(service.port)}`;
    try {
      expect(await link()).toBe(own);
      expect(await link({ PORT: '4000', HOST: '0.0.0.0' })).toBe(own);
      expect(await link({ PUBLIC_URL: 'https://d.example.com' })).toBe('https://d.example.com');
      expect(await port()).toMatchObject({
        state: 'ok',
        text: `A service is running and ready at ${own}.`,
      });
    } finally {
      await service.end('SIGKILL');
    }
    expect(await link()).toBe('http://localhost:3000');
    expect(await link({ PORT: '4000' })).toBe('http://localhost:4000');
    expect(await port()).not.toMatchObject({ text: expect.stringContaining(own) as string });
  });

  it('the URL of the service in the output of commands is the PUBLIC_URL of that service, and doctor asks its port', async () => {
    const service = await startService({ DATA_DIR: dataDir, PUBLIC_URL: 'https://d.example.com' });
    try {
      expect(await link()).toBe('https://d.example.com');
      expect(await port()).toMatchObject({
        text: `A service is running and ready at http://localhost:${String(service.port)}.`,
      });
    } finally {
      await service.end();
    }
  });
});
