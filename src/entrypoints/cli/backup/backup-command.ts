import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import type { ClientBase } from 'pg';
import type { DataSource } from 'typeorm';
import { migrationStatus } from '../../../platform/database/migrations.js';
import { secretsKeyText } from '../../boot/secrets-key.js';
import { requireSchema, withDatabase } from '../database-session.js';
import { print, remark, show } from '../output.js';
import { settings } from '../settings.js';
import { removeAbandoned, writeBackup } from './write-backup.js';

const BEFORE_MIGRATING = 'To back up before the upgrade, use the release that currently runs. ';

interface Flags {
  /** Set by --no-secrets-key. */
  secretsKey: boolean;
}

export function define(command: Command): void {
  command
    .argument('<file>', 'path of the new file')
    .option('--no-secrets-key', 'exclude the key file of an embedded database')
    .action(backUp);
}

async function backUp(file: string, flags: Flags): Promise<void> {
  const read = settings();
  const { dataDir } = read;
  const hasKeyFile = dataDir !== undefined && read.secretsKey === undefined;
  const secretsKey = hasKeyFile && flags.secretsKey ? await secretsKeyText(dataDir) : undefined;
  await reportAbandoned(file);
  const begun = performance.now();
  const rows = await withDatabase(read, async (dataSource) => {
    await requireSchema(dataSource, dataDir, BEFORE_MIGRATING);
    const migrations = (await migrationStatus(dataSource)).map(({ name }) => name);
    return withClient(dataSource, (client) =>
      writeBackup(client, file, { migrations, secretsKey, now: new Date() }),
    );
  });
  const { size } = await stat(file);
  backupReport('backed up to', { file, rows, bytes: size, begun });
  remark(
    secretsKey === undefined
      ? 'The backup does not contain the key of the stored secrets: store SECRETS_KEY, or secrets.key in DATA_DIR, in another safe place.'
      : 'The backup contains the key of the stored secrets: store it where only you can read it.',
  );
}

async function reportAbandoned(file: string): Promise<void> {
  const { removed, recent } = await removeAbandoned(file);
  for (const path of removed) remark(`Removed ${path}, which a killed backup left behind.`);
  for (const path of recent) {
    remark(
      `${path} belongs to a backup that is still running or was killed. Remove it if no backup is running.`,
    );
  }
}

/** Calls `work` with one connection of the pool for COPY, which TypeORM does not support. */
export async function withClient<Result>(
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
  file: string;
  /** Number of rows by table. */
  rows: Record<string, number>;
  bytes: number;
  /** Start time, from `performance.now()`. */
  begun: number;
}

export function backupReport(what: string, { file, rows, bytes, begun }: Outcome): void {
  const seconds = Math.round((performance.now() - begun) / 100) / 10;
  const { accounts = 0, documents = 0 } = rows;
  const megabytes = (bytes / 1_000_000).toFixed(1);
  show({ file, rows, bytes, seconds }, () => {
    print(
      `${String(documents)} documents of ${String(accounts)} accounts ${what} ${file} (${megabytes} MB, ${String(seconds)} s).`,
    );
  });
}
