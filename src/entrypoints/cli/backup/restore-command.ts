import { stat } from 'node:fs/promises';
import type { Command } from 'commander';
import type { DataSource } from 'typeorm';
import { addSecretsKeys, keepOnlySecretsKeys, secretsKeyText } from '../../boot/secrets-key.js';
import { requireFile, restoreBackup } from './restore-backup.js';
import { migrationStatus } from '../../../platform/database/migrations.js';
import { OperatorError } from '../../../platform/basics/errors/app-error.js';
import { backupReport, withClient } from './backup-command.js';
import { requireSchema, withDatabase } from '../database-session.js';
import { remark } from '../output.js';
import { settings } from '../settings.js';

export function define(command: Command): void {
  command
    .argument('<file>', 'file written by "backup"')
    .option('--replace', 'delete the current contents of the database')
    .action(restore);
}

async function restore(file: string, { replace = false }: { replace?: boolean }): Promise<void> {
  const read = settings();
  const { dataDir } = read;
  const hasKeyFile = dataDir !== undefined && read.secretsKey === undefined;
  const begun = performance.now();
  // Check first: a wrong path must not create an empty database.
  await requireFile(file);
  let secretsKey: string | undefined;
  const work = async (dataSource: DataSource, isStarted: boolean) => {
    const beforeCommit = async (stored: string | undefined) => {
      secretsKey = stored;
      if (!hasKeyFile || stored === undefined) return;
      if (!isStarted) await requireSameKey(dataDir, stored);
      await addSecretsKeys(dataDir, stored, replace);
    };
    await requireSchema(dataSource, dataDir);
    const migrations = (await migrationStatus(dataSource)).map(({ name }) => name);
    const restored = await withClient(dataSource, (client) =>
      restoreBackup(client, file, { migrations, replace, beforeCommit }),
    );
    if (hasKeyFile && secretsKey !== undefined) await keepOnlySecretsKeys(dataDir, secretsKey);
    return restored;
  };
  const rows = await withDatabase(read, work, { mayCreate: true });
  const { size } = await stat(file);
  backupReport('restored from', { file, rows, bytes: size, begun });
  if (secretsKey === undefined) {
    remark('Start the service with the SECRETS_KEY of the backed-up installation.');
  } else if (!hasKeyFile) {
    remark(`Start the service with the SECRETS_KEY in the backup: tar -xzOf ${file} secrets.key`);
  }
  if (replace) remark('Restart each process of the service: they may have cached replaced data.');
}

/**
 * Refuses a different key while the service runs. The service would keep encrypting with its own key, which is lost once
 * the file is replaced.
 */
async function requireSameKey(dataDir: string, secretsKey: string): Promise<void> {
  if ((await secretsKeyText(dataDir))?.trim() === secretsKey.trim()) return;
  throw new OperatorError(
    `The service that runs on ${dataDir} uses a different secrets key than the backup. Stop the service, restore, and start it again. Nothing was restored.`,
  );
}
