import { existsSync, statSync } from 'node:fs';
import { access, constants, statfs } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import type { DataSource } from 'typeorm';
import { secretsKeysOf } from '../../boot/secrets-key.js';
import { readEnvironment } from '../../../platform/config/config.js';
import type { Environment } from '../../../platform/config/environment.js';
import { localOrigin } from '../../../platform/http/public-origin.js';
import { removedVariables } from '../../../platform/config/removed-variables.js';
import { modelSettings } from '../../../platform/config/model-settings.js';
import { oidcSettings } from '../../../platform/config/oidc-settings.js';
import { ConfigurationError } from '../../../platform/config/variables.js';
import { hasCluster } from '@document-service/embedded-postgres/cluster';
import { runningService } from '@document-service/embedded-postgres/data-folder-sockets';
import { migrationStatus, schemaProblem } from '../../../platform/database/migrations.js';
import { reasonOf } from '../../../platform/basics/errors/reason.js';
import { isInside } from '../../../platform/network/ip-networks.js';
import { SecretBox } from '../../../platform/secrets/secret-box.js';
import { requireSecretsKey } from '../../../platform/secrets/secrets-key-check.js';
import { keyUses } from '../../../platform/secrets/stored-secrets.js';
import { currentRun } from '../command-run.js';
import { withDatabase } from '../database-session.js';
import { settings } from '../settings.js';

export interface Finding {
  check?: string;
  state: 'ok' | 'warning' | 'failure';
  /** The result. If there is a problem, also says what to do. */
  text: string;
}

const OLDEST_POSTGRESQL = 15;
const CONNECT_WITHIN_MS = 5_000;
const GB = 1024 ** 3;
/** Clock differences between this machine and the database, in ms. */
const NOTED_SKEW_MS = 2_000;
const HARMFUL_SKEW_MS = 60_000;
/** Address where clouds provide credentials to a machine. */
const METADATA_ADDRESS = '169.254.169.254';

const ok = (text: string): Finding => ({ state: 'ok', text });
const warning = (text: string): Finding => ({ state: 'warning', text });
const failure = (text: string): Finding => ({ state: 'failure', text });

/** The checks, in order. If a check throws, it has failed with that error. */
export const CHECKS: readonly (readonly [string, () => Promise<Finding[]>])[] = [
  ['configuration', () => Promise.resolve(configuration())],
  ['database', database],
  ['disk', disk],
  ['port', port],
  ['mail', mail],
  ['sign-in', signIn],
  ['model', model],
  ['webhooks', () => Promise.resolve(webhooks())],
];

/** Returns `undefined` for an invalid configuration. The first check reports it. */
function configured(): Environment | undefined {
  try {
    return readEnvironment(currentRun().env);
  } catch (error) {
    if (error instanceof ConfigurationError) return undefined;
    throw error;
  }
}

function configuration(): Finding[] {
  try {
    const { NODE_ENV, PROCESS_ROLE } = readEnvironment(currentRun().env);
    const node = `Node.js ${process.versions.node}`;
    return [
      ok(`Valid: NODE_ENV=${NODE_ENV}, role ${PROCESS_ROLE}, ${node}.`),
      ...removedVariables(currentRun().env).map(warning),
    ];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.problems.map(failure);
  }
}

async function database(): Promise<Finding[]> {
  const read = settings();
  if (read.dataDir !== undefined && !(await hasCluster(read.dataDir))) {
    return [
      warning(
        `There is no database in the data folder ${read.dataDir} yet. npm start creates one. If one should exist, correct DATA_DIR or set DATABASE_URL.`,
      ),
    ];
  }
  return withDatabase(read, async (dataSource, isStarted) => {
    const found = [
      ...(await server(dataSource, isStarted)),
      ...(await clock(dataSource)),
      ...(await migrations(dataSource, read.dataDir)),
    ];
    // The tables of a different build cannot be read.
    if (found.some(({ state }) => state === 'failure')) return found;
    return [...found, ...(await secretsKey(dataSource, read.dataDir))];
  });
}

async function server(dataSource: DataSource, isStarted: boolean): Promise<Finding[]> {
  const [row] = await dataSource.query<
    {
      version: string;
      encoding: string;
      mayCreate: boolean;
      isSuperuser: boolean;
      connections: number;
    }[]
  >(`SELECT current_setting('server_version') AS version, current_setting('server_encoding') AS encoding,
            has_schema_privilege(current_schema(), 'CREATE') AS "mayCreate",
            current_setting('is_superuser') = 'on' AS "isSuperuser",
            current_setting('max_connections')::integer AS connections`);
  if (!row) return [];
  const { version, encoding, mayCreate, isSuperuser, connections } = row;
  const pool = configured()?.DATABASE_POOL_SIZE ?? 0;
  const found = [
    ok(`PostgreSQL ${version} responds${isStarted ? '; started for this check' : ''}.`),
  ];
  if (Number.parseInt(version, 10) < OLDEST_POSTGRESQL) {
    found.push(
      failure(`The service needs PostgreSQL ${String(OLDEST_POSTGRESQL)} or later: upgrade it.`),
    );
  }
  if (encoding !== 'UTF8') {
    found.push(
      failure(
        `The encoding of the database is ${encoding}: create the database with ENCODING 'UTF8'.`,
      ),
    );
  }
  if (!mayCreate) {
    found.push(
      warning(
        'The role cannot create tables: GRANT CREATE ON SCHEMA public to it, or migrate with another role.',
      ),
    );
  }
  if (isSuperuser) {
    found.push(
      warning('The role is a superuser: create a role without that privilege for the service.'),
    );
  }
  if (pool * 1.5 + 2 > connections) {
    found.push(
      warning(
        `One process may open ${String(Math.ceil(pool * 1.5) + 2)} connections, but max_connections is ${String(connections)}: decrease DATABASE_POOL_SIZE or increase max_connections.`,
      ),
    );
  }
  return found;
}

async function clock(dataSource: DataSource): Promise<Finding[]> {
  const before = Date.now();
  const [row] = await dataSource.query<{ now: Date }[]>('SELECT clock_timestamp() AS now');
  const here = (before + Date.now()) / 2;
  const skew = Math.abs((row?.now.getTime() ?? here) - here);
  const seconds = `${(skew / 1_000).toFixed(1)} s`;
  const todo = `The clocks of this machine and of PostgreSQL differ by ${seconds}: run NTP on both.`;
  if (skew > HARMFUL_SKEW_MS) return [failure(todo)];
  return [
    skew > NOTED_SKEW_MS
      ? warning(todo)
      : ok(`The clocks of this machine and of PostgreSQL agree.`),
  ];
}

async function migrations(dataSource: DataSource, dataDir: string | undefined): Promise<Finding[]> {
  const states = await migrationStatus(dataSource);
  const problem = schemaProblem(states, dataDir);
  if (problem !== undefined) return [failure(problem)];
  const pending = states.filter(({ state }) => state === 'pending').length;
  if (pending === 0) return [ok('All migrations are applied.')];
  return [
    warning(
      `${String(pending)} migrations are pending: npm run -s cli -- migrate, or start the service.`,
    ),
  ];
}

async function secretsKey(dataSource: DataSource, dataDir: string | undefined): Promise<Finding[]> {
  const env = configured();
  const [table] = await dataSource.query<{ found: boolean }[]>(
    `SELECT to_regclass('secrets_key_check') IS NOT NULL AS found`,
  );
  if (!env || !table?.found) return [];
  const isKept = dataDir !== undefined && env.SECRETS_KEY === undefined;
  if (isKept && !existsSync(join(dataDir, 'secrets.key'))) {
    return [warning('There is no secrets.key in DATA_DIR yet; npm start creates one.')];
  }
  const [check] = await dataSource.query<{ removed: boolean }[]>(
    'SELECT check_encrypted IS NULL AS removed FROM secrets_key_check',
  );
  const { key, previous } = await secretsKeysOf(env);
  const box = new SecretBox(key, previous);
  const uses = await keyUses(dataSource);
  const isMissing = uses.some(({ keyId }) => !box.keyIds.includes(keyId));
  // In these cases requireSecretsKey() writes nothing.
  if (check ? !check.removed : isMissing) await requireSecretsKey(dataSource, box);
  const former = uses.some(({ keyId }) => keyId !== box.keyId);
  if (former || previous.length > 0) {
    return [
      warning(
        'A former secrets key is still configured or needed: run npm run -s cli -- secrets rotate, then remove it.',
      ),
    ];
  }
  return [ok('The secrets key matches the stored secrets.')];
}

async function disk(): Promise<Finding[]> {
  const { dataDir } = settings();
  if (dataDir === undefined) return [ok('With DATABASE_URL, no data is stored on this machine.')];
  const folder = nearestFolder(dataDir);
  if (!statSync(folder).isDirectory()) {
    return [failure(`${folder} is a file, not a folder: correct DATA_DIR.`)];
  }
  await access(folder, constants.W_OK);
  const { bavail, bsize } = await statfs(folder);
  const free = (bavail * bsize) / GB;
  const text = `DATA_DIR (${dataDir}) has ${free.toFixed(1)} GB free`;
  if (free < 0.1) return [failure(`${text}: free space, or PostgreSQL stops.`)];
  return [free < 1 ? warning(`${text}: free space soon.`) : ok(`${text}.`)];
}

/** Returns the folder, or the nearest existing folder above it. */
function nearestFolder(path: string): string {
  return existsSync(path) ? path : nearestFolder(dirname(resolve(path)));
}

async function port(): Promise<Finding[]> {
  const env = configured();
  if (!env) return [];
  const running = env.DATABASE_URL === undefined ? await runningService(env.DATA_DIR) : undefined;
  if (running) return [await health(running.localUrl)];
  const place = `Port ${String(env.PORT)} on ${env.HOST}`;
  const code = await new Promise<string | undefined>((settle) => {
    const probe = createServer().once('error', (error: NodeJS.ErrnoException) => {
      settle(error.code);
    });
    probe.listen(env.PORT, env.HOST, () => {
      probe.close(() => {
        settle(undefined);
      });
    });
  });
  if (code === undefined) return [ok(`${place} is free: no service runs there.`)];
  if (code !== 'EADDRINUSE') {
    return [failure(`${place} cannot be used (${code}): correct PORT or HOST.`)];
  }
  const url = localOrigin(env.HOST, env.PORT);
  const found = await health(url);
  if (found.state !== 'failure') return [found];
  return [failure(`${place} is in use by another program: stop it, or set PORT to a free one.`)];
}

/** Checks the service at a URL. */
async function health(url: string): Promise<Finding> {
  const signal = AbortSignal.timeout(CONNECT_WITHIN_MS);
  const response = await fetch(`${url}/health/ready`, { signal }).catch(() => undefined);
  const body: unknown = await response?.json().catch(() => undefined);
  if (typeof body !== 'object' || body === null || !('success' in body)) {
    return failure(`The service at ${url} does not respond: read its log, or restart it.`);
  }
  return response?.ok
    ? ok(`A service is running and ready at ${url}.`)
    : warning(`A service is running but not ready at ${url}: read its log.`);
}

async function mail(): Promise<Finding[]> {
  const env = configured();
  if (!env) return [];
  const url = env.SMTP_URL;
  if (url === undefined) return [ok('Not configured: you hand out links yourself.')];
  return reachable(url, 'The mail server', 'SMTP_URL', url.startsWith('smtps') ? 465 : 587);
}

async function signIn(): Promise<Finding[]> {
  const env = configured();
  if (!env) return [];
  const oidc = oidcSettings(env);
  if (!oidc) return [ok('Not configured: people sign in with passwords.')];
  const base = oidc.issuer.href.replace(/\/$/, '');
  const signal = AbortSignal.timeout(CONNECT_WITHIN_MS);
  const response = await fetch(`${base}/.well-known/openid-configuration`, { signal }).catch(
    (error: unknown) => reasonOf(error instanceof Error ? (error.cause ?? error) : error),
  );
  if (typeof response === 'string') {
    return [
      failure(
        `The provider cannot be reached (${response}): correct OIDC_ISSUER, or allow connections to it.`,
      ),
    ];
  }
  const found = (await response.json().catch(() => undefined)) as { issuer?: unknown } | undefined;
  if (found?.issuer !== oidc.issuer.href && found?.issuer !== base) {
    return [
      failure(
        `The provider responds with ${String(response.status)} and an issuer other than ${base}: set OIDC_ISSUER to the issuer that it reports.`,
      ),
    ];
  }
  return [ok('The provider responds.')];
}

async function model(): Promise<Finding[]> {
  const env = configured();
  if (!env) return [];
  const settingsOfModel = modelSettings(env);
  if (!settingsOfModel) return [ok('Not configured: texts are analyzed on this machine.')];
  const { baseUrl } = settingsOfModel;
  const usual = baseUrl.startsWith('http:') ? 80 : 443;
  return reachable(baseUrl, "The model's server", 'AI_BASE_URL', usual);
}

function webhooks(): Finding[] {
  const env = configured();
  if (!env) return [];
  const networks = env.WEBHOOK_ALLOWED_NETWORKS ?? [];
  const risks: Finding[] = [];
  if (networks.some((network) => /\/0$/.test(network))) {
    risks.push(
      warning(
        'WEBHOOK_ALLOWED_NETWORKS allows every address: list only the networks of your receivers.',
      ),
    );
  } else if (networks.length > 0 && isInside(METADATA_ADDRESS, networks)) {
    risks.push(
      warning(
        `WEBHOOK_ALLOWED_NETWORKS allows ${METADATA_ADDRESS}, where clouds provide credentials.`,
      ),
    );
  }
  if (env.NODE_ENV === 'production' && networks.length > 0 && isInside('127.0.0.1', networks)) {
    risks.push(
      warning(
        'WEBHOOK_ALLOWED_NETWORKS allows this machine itself: customers can reach programs that listen here.',
      ),
    );
  }
  if (env.NODE_ENV === 'production' && env.WEBHOOK_ALLOW_HTTP) {
    risks.push(warning('WEBHOOK_ALLOW_HTTP sends events unencrypted: remove it.'));
  }
  return risks.length > 0 ? risks : [ok('Receivers are public or in allowed networks.')];
}

/** Checks that the server of a URL accepts connections. */
async function reachable(
  url: string,
  what: string,
  variable: string,
  usualPort: number,
): Promise<Finding[]> {
  const { hostname, port: given } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const reason = await new Promise<string | undefined>((settle) => {
    const socket = connect({ host, port: given === '' ? usualPort : Number(given) });
    socket.setTimeout(CONNECT_WITHIN_MS, () => {
      socket.destroy();
      settle('no response within 5 seconds');
    });
    socket.once('connect', () => {
      socket.destroy();
      settle(undefined);
    });
    socket.once('error', (error) => {
      settle(reasonOf(error));
    });
  });
  if (reason === undefined) return [ok(`${what} can be reached.`)];
  return [
    failure(
      `${what} cannot be reached (${reason}): correct ${variable}, or allow connections to it.`,
    ),
  ];
}
