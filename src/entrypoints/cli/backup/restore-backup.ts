import { createReadStream } from 'node:fs';
import { access, constants, stat } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { ClientBase } from 'pg';
import { from as copyFrom, type CopyStreamQuery } from 'pg-copy-streams';
import { extract } from 'tar-stream';
import { OperatorError } from '../../../platform/basics/errors/app-error.js';
import { reasonOf } from '../../../platform/basics/errors/reason.js';
import {
  END,
  MANIFEST,
  parseEnd,
  parseManifest,
  SECRETS_KEY,
  TableDigest,
  tableOf,
  type BackedUpTable,
  type BackupEnd,
  type Manifest,
} from './backup-format.js';
import { copyTarget, inTransaction, quoted, serviceTables } from './tables.js';

interface RestoreOptions {
  /** Names of the migrations in the database, oldest first. */
  migrations: string[];
  /** True to delete the current contents; otherwise the database must be empty. */
  replace: boolean;
  /** Called in the transaction after all tables, with the text of the backup's key file. An error undoes the restore. */
  beforeCommit: (secretsKey: string | undefined) => Promise<void>;
}

/**
 * Restores all tables in one transaction. Returns the number of rows by table. Throws `OperatorError` for an incomplete
 * backup, a backup of another version, or a database that is not empty.
 */
export async function restoreBackup(
  client: ClientBase,
  path: string,
  options: RestoreOptions,
): Promise<Record<string, number>> {
  await requireWhole(path);
  const restored = await inTransaction(client, 'READ WRITE', () =>
    readEntries(path, async (entries) => {
      const restore = new Restore(client, path, options);
      try {
        for await (const entry of entries) await restore.process(entry.header.name, entry);
        return await restore.finish();
      } catch (error) {
        restore.abort();
        throw error;
      }
    }),
  );
  await client.query('ANALYZE');
  return restored;
}

/** Throws `OperatorError` if the path is not a readable file. */
export async function requireFile(path: string): Promise<void> {
  try {
    await access(path, constants.R_OK);
    if ((await stat(path)).isFile()) return;
  } catch (error) {
    throw readingFailure(path, error);
  }
  throw new OperatorError(`${path} is not a file: specify one that \`backup\` wrote.`);
}

/** Verifies the whole file first. The gzip checksum is at its end, and until then any part may have been altered. */
async function requireWhole(path: string): Promise<void> {
  const nowhere = new Writable({
    write: (_chunk, _encoding, done) => {
      done();
    },
  });
  try {
    await pipeline(createReadStream(path), createGunzip(), nowhere);
  } catch (error) {
    throw readingFailure(path, error);
  }
}

class Restore {
  readonly #client: ClientBase;
  readonly #path: string;
  readonly #options: RestoreOptions;
  #tables: Map<string, BackedUpTable> | undefined;
  #secretsKey: string | undefined;
  #end: BackupEnd | undefined;
  /** The table being read. */
  #open: { name: string; copy: CopyStreamQuery; digest: TableDigest } | undefined;
  readonly #read: BackupEnd['tables'] = {};

  constructor(client: ClientBase, path: string, options: RestoreOptions) {
    this.#client = client;
    this.#path = path;
    this.#options = options;
  }

  /** Processes an entry. Entries come in the order in which {@link writeBackup} wrote them. */
  async process(name: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const bytes = await buffer(content);
    if (name === MANIFEST) return this.#prepare(this.#parse(() => parseManifest(String(bytes))));
    if (!this.#tables) throw notABackup(this.#path);
    if (name === SECRETS_KEY) this.#secretsKey = String(bytes);
    const table = tableOf(name);
    if (table !== undefined) await this.#fill(table, bytes);
    if (name === END) this.#end = this.#parse(() => parseEnd(String(bytes)));
  }

  async finish(): Promise<Record<string, number>> {
    await this.#closeTable();
    const tables = this.#tables;
    if (!tables) throw notABackup(this.#path);
    const end = this.#end;
    if (!end) throw damaged(this.#path, 'its end is missing');
    for (const name of tables.keys()) {
      const read = this.#read[name] ?? new TableDigest().close(0);
      const { rows, sha256 } = end.tables[name] ?? {};
      if (read.rows !== rows || read.sha256 !== sha256) {
        throw damaged(this.#path, `the table ${name} differs from what was written`);
      }
    }
    for (const [name, value] of Object.entries(end.sequences)) {
      await this.#client.query('SELECT setval($1::regclass, $2)', [quoted(name), value]);
    }
    for (const name of tables.keys()) {
      await this.#client.query(`ALTER TABLE ${quoted(name)} ENABLE TRIGGER USER`);
    }
    await this.#options.beforeCommit(this.#secretsKey);
    return Object.fromEntries(
      [...tables.keys()].map((name) => [name, end.tables[name]?.rows ?? 0]),
    );
  }

  /** Ends an open COPY. Otherwise the connection would accept nothing else, not even ROLLBACK. */
  abort(): void {
    this.#open?.copy.on('error', () => undefined).destroy();
  }

  /** Compares the backup's tables with those of this build, and empties them. */
  async #prepare(manifest: Manifest): Promise<void> {
    const { migrations, replace } = this.#options;
    const own = await serviceTables(this.#client);
    if (
      JSON.stringify(manifest.migrations) !== JSON.stringify(migrations) ||
      columnsOf(manifest.tables) !== columnsOf(own)
    ) {
      throw new OperatorError(
        `${this.#path} was created by another build of the service on ${manifest.createdAt.slice(0, 10)}: its tables differ from those of this build. Restore it with that build, then upgrade.`,
      );
    }
    if (!replace) await this.#requireEmpty();
    // Triggers would repeat changes that the backup already contains.
    for (const { name } of own) {
      await this.#client.query(`ALTER TABLE ${quoted(name)} DISABLE TRIGGER USER`);
    }
    await this.#client.query(`TRUNCATE ${own.map(({ name }) => quoted(name)).join(', ')}`);
    this.#tables = new Map(manifest.tables.map((table) => [table.name, table]));
  }

  async #requireEmpty(): Promise<void> {
    const { rows } = await this.#client.query<{ accounts: number }>(
      'SELECT count(*)::int AS accounts FROM accounts',
    );
    const accounts = rows[0]?.accounts ?? 0;
    if (accounts === 0) return;
    throw new OperatorError(
      `The database is not empty: it has ${accounts === 1 ? '1 account' : `${String(accounts)} accounts`}. Set DATA_DIR or DATABASE_URL to an empty one, or delete its contents with --replace.`,
    );
  }

  async #fill(name: string, bytes: Buffer): Promise<void> {
    if (this.#open?.name !== name) {
      await this.#closeTable();
      const table = this.#tables?.get(name);
      if (!table || name in this.#read)
        throw damaged(this.#path, `the table ${name} is not expected`);
      const copy = this.#client.query(copyFrom(`COPY ${copyTarget(table)} FROM STDIN`));
      this.#open = { name, copy, digest: new TableDigest() };
    }
    this.#open.digest.add(bytes);
    const { copy } = this.#open;
    await new Promise<void>((resolve, reject) => {
      copy.once('error', reject);
      copy.write(bytes, (error) => {
        copy.off('error', reject);
        if (error) reject(error);
        else resolve();
      });
    });
  }

  async #closeTable(): Promise<void> {
    if (!this.#open) return;
    const { name, copy, digest } = this.#open;
    this.#open = undefined;
    await new Promise<void>((resolve, reject) => {
      copy.once('error', reject);
      copy.end(resolve);
    });
    this.#read[name] = digest.close(copy.rowCount);
  }

  #parse<Parsed>(read: () => Parsed): Parsed {
    try {
      return read();
    } catch {
      throw notABackup(this.#path);
    }
  }
}

type Entries = ReturnType<typeof extract>;

/** Reads the archive for `work`, and translates file errors for the operator. */
async function readEntries<Result>(
  path: string,
  work: (entries: Entries) => Promise<Result>,
): Promise<Result> {
  const entries = extract();
  // `work` sees a file error as an error of its entries.
  const read = pipeline(createReadStream(path), createGunzip(), entries).catch(() => undefined);
  try {
    return await work(entries);
  } catch (error) {
    entries.destroy(error as Error);
    throw readingFailure(path, error);
  } finally {
    await read;
  }
}

function readingFailure(path: string, error: unknown): unknown {
  if (error instanceof OperatorError) return error;
  const { code, syscall, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return new OperatorError(`There is no file ${path}.`);
  if (code === 'Z_BUF_ERROR') return damaged(path, 'its end is missing');
  if (code === 'Z_DATA_ERROR') {
    return /incorrect header/.test(message)
      ? notABackup(path)
      : damaged(path, 'it cannot be unpacked');
  }
  if (/tar/i.test(message)) return damaged(path, reasonOf(error));
  if (syscall !== undefined) {
    return new OperatorError(
      `Cannot read ${path} (${reasonOf(error)}). Correct the path or the permissions of the file.`,
    );
  }
  return error;
}

const notABackup = (path: string) =>
  new OperatorError(`${path} is not a backup: specify a file that \`backup\` wrote.`);

const damaged = (path: string, what: string) =>
  new OperatorError(`${path} is damaged: ${what}. Nothing was restored; use another backup.`);

/** Ignores the order of tables and columns, because COPY lists them by name. */
const columnsOf = (tables: readonly BackedUpTable[]) =>
  JSON.stringify(
    tables
      .map(({ name, columns }) => [name, columns.toSorted()])
      .toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
  );
