import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import type { ClientBase } from 'pg';
import type { DataSource } from 'typeorm';
import { SECRETS_KEY_FILE } from '../boot/secrets-key.js';
import { OperatorError } from '../errors/operator-error.js';
import { createSecretFile, replaceSecretFile } from '../secrets/secret-file.js';
import { print, printJson, remark } from './output.js';
import type { CliSettings } from './settings.js';

interface BackupFlags {
  json?: true;
  /** Commander's form of --no-secrets-key. */
  secretsKey: boolean;
}

interface RestoreFlags {
  json?: true;
  replace?: true;
}

export function addBackupCommands(program: Command, settings: () => CliSettings): void {
  program
    .command('backup')
    .description('write everything in the database into a file; safe beside a running service')
    .argument('<file>', 'a file that does not exist yet')
    .option('--no-secrets-key', 'leave out the key file of an embedded database')
    .option('--json', 'print one line of JSON')
    .action((file: string, flags: BackupFlags) => backUp(settings(), file, flags));
  program
    .command('restore')
    .description('fill an empty database from a backup, all of it or nothing')
    .argument('<file>', 'a file that "backup" has written')
    .option('--replace', 'throw away what the database holds')
    .option('--json', 'print one line of JSON')
    .action((file: string, flags: RestoreFlags) => restore(settings(), file, flags));
}

async function backUp(settings: CliSettings, file: string, flags: BackupFlags): Promise<void> {
  const [{ withDatabase, requireSchema }, { migrationStatus }, { writeBackup }] = await Promise.all(
    [
      import('./database-session.js'),
      import('../database/migrations.js'),
      import('../backup/write-backup.js'),
    ],
  );
  const { dataDir } = settings;
  const ownKey = flags.secretsKey ? await keyInFile(settings) : undefined;
  const begun = performance.now();
  const rows = await withDatabase(settings, async (dataSource) => {
    await requireSchema(dataSource, dataDir);
    const migrations = (await migrationStatus(dataSource)).map(({ name }) => name);
    return withClient(dataSource, (client) =>
      writeBackup(client, file, { migrations, secretsKey: ownKey, now: new Date() }),
    );
  });
  const { size } = await stat(file);
  report('backed up to', file, { rows, bytes: size, seconds: secondsSince(begun) }, flags);
  if (ownKey === undefined) {
    remark(
      'The backup does not hold the key of the stored secrets: keep SECRETS_KEY, or secrets.key of DATA_DIR, in another safe place.',
    );
  } else {
    remark('The backup holds the key of the stored secrets: keep it where only you can read it.');
  }
}

async function restore(settings: CliSettings, file: string, flags: RestoreFlags): Promise<void> {
  const [{ withDatabase, requireSchema }, { migrationStatus }, { restoreBackup }] =
    await Promise.all([
      import('./database-session.js'),
      import('../database/migrations.js'),
      import('../backup/restore-backup.js'),
    ]);
  const replace = flags.replace ?? false;
  const begun = performance.now();
  let keyCame = false as boolean;
  const rows = await withDatabase(settings, async (dataSource) => {
    await requireSchema(dataSource, settings.dataDir);
    const migrations = (await migrationStatus(dataSource)).map(({ name }) => name);
    const beforeCommit = async (secretsKey: string | undefined) => {
      keyCame = secretsKey !== undefined && (await keepKey(settings, secretsKey, replace));
    };
    return withClient(dataSource, (client) =>
      restoreBackup(client, file, { migrations, replace, beforeCommit }),
    );
  });
  const { size } = await stat(file);
  report('restored from', file, { rows, bytes: size, seconds: secondsSince(begun) }, flags);
  if (!keyCame) {
    remark('Start the service with the SECRETS_KEY of the installation that was backed up.');
  }
  if (replace) remark('Restart each process of the service: they may remember what was replaced.');
}

/** The key file of an embedded database; undefined where SECRETS_KEY is used instead of it. */
async function keyInFile({ dataDir, secretsKey }: CliSettings): Promise<string | undefined> {
  if (dataDir === undefined || secretsKey !== undefined) return undefined;
  return readIfThere(join(dataDir, SECRETS_KEY_FILE));
}

/** Puts the key of a backup in its place beside an embedded database. False where SECRETS_KEY is used instead of it. */
async function keepKey(
  { dataDir, secretsKey }: CliSettings,
  key: string,
  replace: boolean,
): Promise<boolean> {
  if (dataDir === undefined || secretsKey !== undefined) return false;
  const path = join(dataDir, SECRETS_KEY_FILE);
  const present = await readIfThere(path);
  if (present?.trim() === key.trim()) return true;
  if (present === undefined) {
    await createSecretFile(path, key);
  } else if (replace) {
    await replaceSecretFile(path, key);
  } else {
    throw new OperatorError(
      `${path} holds another key than the backup. Move it away, or replace it with --replace.`,
    );
  }
  return true;
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** One connection of the pool, for COPY, which TypeORM does not know. */
async function withClient<Result>(
  dataSource: DataSource,
  work: (client: ClientBase) => Promise<Result>,
): Promise<Result> {
  const runner = dataSource.createQueryRunner();
  try {
    return await work((await runner.connect()) as ClientBase);
  } finally {
    await runner.release();
  }
}

interface Outcome {
  /** Rows by table. */
  rows: Record<string, number>;
  /** Length of the file. */
  bytes: number;
  seconds: number;
}

function report(what: string, file: string, outcome: Outcome, { json }: { json?: true }): void {
  if (json) {
    printJson({ file, ...outcome });
    return;
  }
  const { rows, bytes, seconds } = outcome;
  const { accounts = 0, documents = 0 } = rows;
  const megabytes = (bytes / 1_000_000).toFixed(1);
  print(
    `${String(documents)} documents of ${String(accounts)} accounts ${what} ${file} (${megabytes} MB, ${String(seconds)} s).`,
  );
}

const secondsSince = (begun: number) => Math.round((performance.now() - begun) / 100) / 10;
