import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setInterval } from 'node:timers';
import pg from 'pg';
import { createDataFolder } from '@document-service/embedded-postgres/data-folder';
import {
  prepareCluster,
  processOptions,
  SERVICE_NAME,
} from '@document-service/embedded-postgres/cluster';
import { freePort } from '@document-service/embedded-postgres/free-port';
import { programsFor } from '@document-service/embedded-postgres/programs';
import { runProgram } from '@document-service/embedded-postgres/run-program';
import {
  launchServer,
  sendSignal,
  serverArguments,
  stopServer,
} from '@document-service/embedded-postgres/server-process';
import { serverUser } from '@document-service/embedded-postgres/server-user';

// Runs a primary and its standbys. Reads one command per line as JSON and prints one line in response: `{ result }` or
// `{ failure }`. Removes everything when its input ends, so nothing is left if the test is killed. See standby.ts.

/** The superuser, which also replicates. The service's role has no such rights. */
const ADMIN = 'admin';
/** Later arguments of `postgres` win over those of serverArguments(). */
const REPLICATION = {
  synchronous_commit: 'on',
  full_page_writes: 'on',
  wal_keep_size: '1GB',
  // A standby looks for its primary again after this time. The default is 5 s.
  wal_retrieve_retry_interval: '200ms',
};

const root = await mkdtemp(join(tmpdir(), 'replicated-'));
const servers = new Map();
let password;

/** Returns a server with an empty folder. One that existed before keeps its port. */
async function addServer(name) {
  const existing = servers.get(name);
  if (existing) await crash(existing);
  const dataDir = join(root, name);
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20 });
  await createDataFolder(dataDir);
  const folder = join(dataDir, 'postgres');
  const user = await serverUser(folder);
  const cluster = { folder, user, programs: await programsFor(user) };
  const port = existing?.port ?? (await freePort());
  const urlOf = (role) =>
    `postgres://${role}:${password}@127.0.0.1:${String(port)}/${SERVICE_NAME}`;
  const server = { name, cluster, port, urlOf, pid: undefined };
  servers.set(name, server);
  return server;
}

function found(name) {
  const server = servers.get(name);
  if (!server) throw new Error(`There is no server ${name}.`);
  return server;
}

async function launch(server) {
  const settings = Object.entries(REPLICATION).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const args = [...serverArguments(server.port, false), ...settings];
  const { pid, ended } = await launchServer(server.cluster, args, () => undefined);
  server.pid = pid;
  server.ended = ended;
}

async function withSession(server, work) {
  const client = new pg.Client({ connectionString: server.urlOf(ADMIN) });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(async (text, values) => (await client.query(text, values)).rows);
  } finally {
    await client.end();
  }
}

/** Changes settings without a restart. */
async function configure(server, settings) {
  await withSession(server, async (query) => {
    for (const [name, value] of Object.entries(settings)) {
      await query(`ALTER SYSTEM SET ${name} = ${pg.escapeLiteral(value)}`);
    }
    await query('SELECT pg_reload_conf()');
  });
}

/** Copies the files of a running primary, as pg_basebackup does, which the embedded packages lack. */
async function copyFiles(primary, standby) {
  const target = standby.cluster.folder;
  await withSession(primary, async (query) => {
    await query(`SELECT pg_backup_start($1, true)`, [standby.name]);
    const copy = spawnSync('cp', ['-a', primary.cluster.folder, target], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, LC_ALL: 'C' },
    });
    // Files that vanish are recreated from the WAL.
    const failures = copy.stderr
      .split('\n')
      .filter((line) => line !== '' && !line.endsWith('No such file or directory'));
    if (failures.length > 0) throw new Error(failures.join('\n'));
    const [stopped] = await query('SELECT labelfile FROM pg_backup_stop(false)');
    for (const file of ['postmaster.pid', 'postmaster.opts', 'postgresql.auto.conf']) {
      await rm(join(target, file), { force: true });
    }
    await give(standby, 'backup_label', stopped.labelfile);
  });
  // The standby receives its WAL from the primary.
  for (const entry of await readdir(join(target, 'pg_wal'), { withFileTypes: true })) {
    if (entry.isFile()) await rm(join(target, 'pg_wal', entry.name));
  }
}

/** Creates a file in a server's data folder, owned by the user that runs it. */
async function give({ cluster: { folder, user } }, name, text) {
  const file = join(folder, name);
  await writeFile(file, text, { mode: 0o600 });
  if (user) await chown(file, user.uid, user.gid);
}

/** Returns the server's processes. Each has its own session, so no signal reaches them as a group. */
function processesOf(server) {
  const list = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).stdout;
  const children = list
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === server.pid)
    .map(([pid]) => pid);
  return [server.pid, ...children];
}

function signal(server, name) {
  // First, so that it starts no others.
  sendSignal(server.pid, 'SIGSTOP');
  for (const pid of processesOf(server)) sendSignal(pid, name);
}

async function crash(server) {
  if (server.pid === undefined) return;
  signal(server, 'SIGKILL');
  await server.ended;
  server.pid = undefined;
}

/**
 * Starts what Patroni's REST API offers to load balancers: `GET /primary` responds with 200 only if the server accepts
 * writes. Returns its port.
 */
async function startAgent(server) {
  let client;
  const isPrimary = async () => {
    if (!client) {
      const options = { connectionTimeoutMillis: 500, query_timeout: 500 };
      const next = new pg.Client({ connectionString: server.urlOf(ADMIN), ...options });
      next.on('error', () => undefined);
      await next.connect();
      client = next;
    }
    const { rows } = await client.query('SELECT pg_is_in_recovery() AS standby');
    return !rows[0].standby;
  };
  const agent = createServer((_, response) => {
    isPrimary()
      .catch(() => {
        client?.end().catch(() => undefined);
        client = undefined;
        return false;
      })
      .then((yes) => response.writeHead(yes ? 200 : 503).end());
  });
  const port = await freePort();
  agent.listen(port, '127.0.0.1');
  await once(agent, 'listening');
  return port;
}

const conninfo = (primary, name) =>
  `host=127.0.0.1 port=${String(primary.port)} user=${ADMIN} password=${password} application_name=${name}`;

const COMMANDS = {
  async primary({ name }) {
    const server = await addServer(name);
    password = await prepareCluster(server.cluster, false);
    await runProgram(
      server.cluster.programs.postgres,
      ['--single', '-j', '-c', 'exit_on_error=on', 'postgres'],
      processOptions(server.cluster),
      `CREATE ROLE ${ADMIN} SUPERUSER REPLICATION LOGIN PASSWORD '${password}';\n\n`,
    );
    await launch(server);
    return { url: server.urlOf(SERVICE_NAME), adminUrl: server.urlOf(ADMIN) };
  },
  async standby({ name, of, settings }) {
    const primary = found(of);
    const server = await addServer(name);
    await copyFiles(primary, server);
    const lines = Object.entries({ primary_conninfo: conninfo(primary, name), ...settings }).map(
      ([key, value]) => `${key} = ${pg.escapeLiteral(value)}\n`,
    );
    await give(server, 'postgresql.auto.conf', lines.join(''));
    await give(server, 'standby.signal', '');
    await launch(server);
    return { url: server.urlOf(SERVICE_NAME), adminUrl: server.urlOf(ADMIN) };
  },
  agent: ({ name }) => startAgent(found(name)),
  configure: ({ name, settings }) => configure(found(name), settings),
  follow: ({ name, primary }) =>
    configure(found(name), { primary_conninfo: conninfo(found(primary), name) }),
  promote: ({ name }) => withSession(found(name), (query) => query('SELECT pg_promote(true, 60)')),
  pause: ({ name }) => signal(found(name), 'SIGSTOP'),
  resume({ name }) {
    for (const pid of processesOf(found(name))) sendSignal(pid, 'SIGCONT');
  },
  crash: ({ name }) => crash(found(name)),
  async stop({ name }) {
    const server = found(name);
    await stopServer(server.cluster);
    server.pid = undefined;
  },
  start: ({ name }) => launch(found(name)),
};

const input = createInterface({ input: process.stdin });
input.on('line', (line) => {
  const { command, ...rest } = JSON.parse(line);
  Promise.resolve()
    .then(() => COMMANDS[command](rest))
    .then(
      (result) => ({ result }),
      (error) => ({ failure: error.message }),
    )
    .then((reply) => process.stdout.write(`${JSON.stringify(reply)}\n`));
});
await once(input, 'close');
for (const server of servers.values()) if (server.pid !== undefined) signal(server, 'SIGKILL');
// The servers do not keep Node.js running.
setInterval(() => undefined, 1_000);
await Promise.all([...servers.values()].map(({ ended }) => ended));
await rm(root, { recursive: true, force: true, maxRetries: 20 });
process.exit();
