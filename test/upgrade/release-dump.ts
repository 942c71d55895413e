// Writes test/upgrade/<version>/, the dump of a small database filled by a build, for the test that upgrades it. npm run
// release:dump this checkout, under the version of package.json npm run release:dump -- --version 1.1.0-rc.1 --commit
// <commit> another commit Needs PostgreSQL with pg_dump (Debian: apt-get install postgresql-15); the oldest version found
// is used.
import { execFileSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import { freePort } from '@document-service/embedded-postgres/free-port';
import { buildCommit } from './build-commit.js';
import type { Release } from './releases.js';
import { fillDatabase } from './release-content.js';

const DEBIAN = '/usr/lib/postgresql';

const { version: own } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const { values } = parseArgs({
  options: {
    version: { type: 'string', default: own },
    commit: { type: 'string', default: 'HEAD' },
  },
});
const { version } = values;
const commit = git('rev-parse', `${values.commit}^{commit}`);
const folder = join('test', 'upgrade', version);
if (existsSync(folder)) fail(`${folder} exists already. A release's dump is never replaced.`);
if (values.commit === 'HEAD' && git('status', '--porcelain') !== '') {
  fail('Commit your changes first: the dump is made with the commit that it names.');
}
const build = buildCommit(commit);
const server = startServer(await freePort());
try {
  const content = await fillDatabase(build, server.url);
  const checksums = await checksumsIn(server.url);
  const dump = server.dump();
  const madeAt = new Date().toISOString();
  const release: Release = { version, commit, madeAt, checksums, content };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'dump.sql.gz'), gzipSync(dump, { level: 9 }));
  writeFileSync(join(folder, 'release.json'), `${JSON.stringify(release, null, 2)}\n`);
  console.log(`Wrote ${folder}: ${String(dump.length)} characters of SQL, made by ${commit}.`);
} finally {
  server.stop();
  rmSync(join(build, '..'), { recursive: true });
}

function git(...words: string[]): string {
  return execFileSync('git', words, { encoding: 'utf8' }).trim();
}

function fail(sentence: string): never {
  console.error(sentence);
  process.exit(1);
}

/** Returns the committed checksums of the migrations that ran. */
async function checksumsIn(url: string): Promise<Record<string, string>> {
  const committed = JSON.parse(
    git('show', `${commit}:src/migrations/checksums.json`),
  ) as Release['checksums'];
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM migrations ORDER BY timestamp',
  );
  await client.end();
  return Object.fromEntries(rows.map(({ name }) => [name, committed[name] ?? '']));
}

/** Starts an empty PostgreSQL as the user `postgres`, because PostgreSQL refuses to run as root. */
function startServer(port: number) {
  const [oldest] = (existsSync(DEBIAN) ? readdirSync(DEBIAN) : [])
    .filter((name) => Number(name) >= 15 && existsSync(join(DEBIAN, name, 'bin', 'pg_dump')))
    .sort((a, b) => Number(a) - Number(b));
  if (oldest === undefined)
    fail(`No PostgreSQL 15 or later in ${DEBIAN}: apt-get install postgresql-15`);
  const data = mkdtempSync(join(tmpdir(), 'release-dump-'));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'])));
    chownSync(data, uid ?? 0, gid ?? 0);
  }
  const run = (program: string, ...words: string[]) => {
    const path = join(DEBIAN, oldest, 'bin', program);
    const [command = '', ...rest] = isRoot ? ['runuser', '-u', 'postgres', '--', path] : [path];
    const options = { cwd: data, encoding: 'utf8', maxBuffer: 2 ** 30 } as const;
    return execFileSync(command, [...rest, ...words], {
      ...options,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  };
  const cluster = join(data, 'cluster');
  run('initdb', '-D', cluster, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C.UTF-8');
  const settings = `-p ${String(port)} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${data} -c fsync=off`;
  run('pg_ctl', '-D', cluster, '-o', settings, '-l', join(data, 'log'), '-w', 'start');
  const connection = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres'];
  run('createdb', ...connection, 'document_service');
  return {
    url: `postgres://postgres@127.0.0.1:${String(port)}/document_service`,
    dump: () =>
      run(
        'pg_dump',
        ...connection,
        '--no-owner',
        '--no-privileges',
        '--no-comments',
        '--rows-per-insert=50',
        'document_service',
      )
        // psql commands. The test restores without psql.
        .replaceAll(/^\\(?:un)?restrict .*$/gm, ''),
    stop: () => {
      run('pg_ctl', '-D', cluster, '-m', 'immediate', 'stop');
      rmSync(data, { recursive: true });
    },
  };
}
