import { randomUUID } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { link, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { ClientBase } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { pack, type Pack } from 'tar-stream';
import { OperatorError } from '../../../platform/basics/errors/app-error.js';
import {
  END,
  FORMAT,
  MANIFEST,
  PART_BYTES,
  partName,
  SECRETS_KEY,
  TableDigest,
  type BackedUpTable,
  type BackupEnd,
  type Manifest,
} from './backup-format.js';
import { copySource, inTransaction, PARTITIONED, serviceTables } from './tables.js';

const UNFINISHED = '.unfinished-backup';
/** Age in ms after which an unfinished file counts as abandoned. A running backup writes continuously. */
const ABANDONED_AFTER_MS = 3_600_000;

interface BackupOptions {
  /** Names of the migrations in the database, oldest first. */
  migrations: string[];
  /** Text of the key file of an embedded database; undefined if the key is stored elsewhere. */
  secretsKey: string | undefined;
  now: Date;
}

/**
 * Writes a consistent snapshot of all tables while the database is in use. Returns the number of rows by table. The file
 * appears once it is complete and on disk, and only this user can read it. Throws `OperatorError` for a path that exists
 * or cannot be written.
 */
export async function writeBackup(
  client: ClientBase,
  path: string,
  options: BackupOptions,
): Promise<Record<string, number>> {
  const unfinished = `${path}.${randomUUID()}${UNFINISHED}`;
  const remove = () => {
    rmSync(unfinished, { force: true });
  };
  // If a signal ends the command.
  process.once('exit', remove);
  try {
    const tar = pack();
    const file = createWriteStream(unfinished, { flags: 'wx', mode: 0o600 });
    const written = pipeline(tar, createGzip(), file);
    const packed = inTransaction(client, 'READ ONLY', () => packAll(client, tar, options));
    packed.catch((error: unknown) => tar.destroy(error as Error));
    const [rows] = await Promise.all([packed, written]);
    await sync(unfinished);
    // A rename would replace an existing file.
    await link(unfinished, path);
    return rows;
  } catch (error) {
    throw writingFailure(path, error);
  } finally {
    process.off('exit', remove);
    remove();
  }
}

/**
 * Removes the files that killed backups left in the folder of `path`, once nothing has been written to them for an
 * hour. Returns the removed paths, and the paths that a running backup may still write to.
 */
export async function removeAbandoned(
  path: string,
): Promise<{ removed: string[]; recent: string[] }> {
  const folder = dirname(path);
  const names = await readdir(folder).catch(() => []);
  const removed: string[] = [];
  const recent: string[] = [];
  for (const name of names.filter((one) => one.endsWith(UNFINISHED))) {
    const file = join(folder, name);
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: undefined }));
    if (mtimeMs === undefined) continue;
    if (Date.now() - mtimeMs < ABANDONED_AFTER_MS) {
      recent.push(file);
    } else {
      await rm(file, { force: true });
      removed.push(file);
    }
  }
  return { removed, recent };
}

async function sync(path: string): Promise<void> {
  const file = await open(path);
  await file.sync().finally(() => file.close());
}

async function packAll(
  client: ClientBase,
  tar: Pack,
  { migrations, secretsKey, now }: BackupOptions,
): Promise<Record<string, number>> {
  // Before the first SELECT takes the snapshot: dropping a partition would remove its rows from the snapshot too.
  await client.query(`LOCK TABLE ${PARTITIONED} IN ACCESS SHARE MODE`);
  const tables = await serviceTables(client);
  const { rows: servers } = await client.query<{ server_version: string }>('SHOW server_version');
  const manifest: Manifest = {
    format: FORMAT,
    createdAt: now.toISOString(),
    postgresql: servers[0]?.server_version ?? '',
    migrations,
    tables,
  };
  await packEntry(tar, MANIFEST, Buffer.from(JSON.stringify(manifest)));
  if (secretsKey !== undefined) await packEntry(tar, SECRETS_KEY, Buffer.from(secretsKey));
  const end: BackupEnd = { tables: {}, sequences: {} };
  for (const table of tables) end.tables[table.name] = await packTable(client, tar, table);
  // Read sequences after the tables. They are not part of a snapshot, and a higher value does no harm.
  const { rows: sequences } = await client.query<{ name: string; value: string }>(
    `SELECT sequencename AS name, last_value::text AS value FROM pg_sequences
      WHERE schemaname = current_schema() AND last_value IS NOT NULL`,
  );
  for (const { name, value } of sequences) end.sequences[name] = value;
  await packEntry(tar, END, Buffer.from(JSON.stringify(end)));
  tar.finalize();
  return Object.fromEntries(Object.entries(end.tables).map(([name, { rows }]) => [name, rows]));
}

async function packTable(client: ClientBase, tar: Pack, table: BackedUpTable) {
  const digest = new TableDigest();
  let parts = 0;
  let buffered: Buffer[] = [];
  let bufferedBytes = 0;
  const flush = async () => {
    if (bufferedBytes === 0) return;
    const part = Buffer.concat(buffered);
    digest.add(part);
    await packEntry(tar, partName(table.name, (parts += 1)), part);
    buffered = [];
    bufferedBytes = 0;
  };
  const rows = client.query(copyTo(`COPY ${copySource(table)} TO STDOUT`));
  for await (const chunk of rows as AsyncIterable<Buffer>) {
    buffered.push(chunk);
    bufferedBytes += chunk.length;
    if (bufferedBytes >= PART_BYTES) await flush();
  }
  await flush();
  return digest.close(rows.rowCount);
}

/** Adds an entry, with backpressure, so that a large table does not stay in memory. */
async function packEntry(tar: Pack, name: string, content: Buffer): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    tar.entry({ name, size: content.length, mode: 0o600 }, content, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

function writingFailure(path: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EEXIST') {
    return new OperatorError(`${path} already exists. Use another path, or move the file away.`);
  }
  if (code === 'ENOSPC') {
    return new OperatorError(
      `The disk has no space for ${path}. Free some space, or use a path on another disk.`,
    );
  }
  if ((error as NodeJS.ErrnoException).syscall !== undefined && code?.startsWith('E')) {
    return new OperatorError(`Cannot write ${path} (${code}). Use another path.`);
  }
  return error;
}
