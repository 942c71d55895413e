import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import type { DataSource } from 'typeorm';
import { secretsKeysOf, writeSecretsKeys } from '../../boot/secrets-key.js';
import { OperatorError } from '../../../platform/basics/errors/app-error.js';
import { SecretBox } from '../../../platform/secrets/secret-box.js';
import { finishKeyChange, requireSecretsKey } from '../../../platform/secrets/secrets-key-check.js';
import { keyUses, reencrypt } from '../../../platform/secrets/stored-secrets.js';
import { requireSchema, withDatabase } from '../database-session.js';
import { print, printTable, remark, show } from '../output.js';
import { secretsSettings, settings, type SecretsSettings } from '../settings.js';

export function define(command: Command): void {
  command
    .command('status')
    .description('show how many stored secrets each key encrypts')
    .action(showStatus);
  command
    .command('rotate')
    .description(
      're-encrypt all stored secrets with SECRETS_KEY, including those encrypted with SECRETS_KEY_PREVIOUS. Safe to repeat, and safe while replicas with both keys run',
    )
    .option(
      '--new-key',
      'first create a new key in DATA_DIR; for the embedded database, while it is stopped',
    )
    .action(({ newKey = false }: { newKey?: boolean }) => rotate(newKey));
}

async function showStatus(): Promise<void> {
  const read = secretsSettings();
  await withSecrets(read, async (dataSource) => {
    const box = await boxOf(read);
    const stored = (await keyUses(dataSource)).map((use) => ({
      ...use,
      key: nameOf(use.keyId, box),
    }));
    show({ keyId: box.keyId, stored }, () => {
      print(`New secrets are encrypted with the key ${box.keyId}.`);
      if (stored.length === 0) return;
      printTable(
        ['TABLE', 'COLUMN', 'KEY', 'IS', 'SECRETS'],
        stored.map(({ table, column, keyId, key, records }) => [
          table,
          column,
          keyId,
          key,
          String(records),
        ]),
      );
    });
  });
}

async function rotate(newKey: boolean): Promise<void> {
  const read = secretsSettings();
  await withSecrets(read, async (dataSource, isStarted) => {
    const { dataDir } = settings();
    if (newKey) await makeKey(read, dataDir, isStarted);
    const box = await boxOf(read);
    await requireSecretsKey(dataSource, box);
    let reportedAt = Date.now();
    const done = await reencrypt(dataSource, box, (count) => {
      if (Date.now() - reportedAt < 5_000) return;
      reportedAt = Date.now();
      remark(`${String(count)} re-encrypted so far.`);
    });
    if (done.left === 0) {
      await finishKeyChange(dataSource, box, done.unreadable);
      if (hasKeyFile(read, dataDir)) {
        await writeSecretsKeys(dataDir, { key: (await secretsKeysOf(read)).key, previous: [] });
      }
    }
    const { reencrypted, left } = done;
    const unreadable = done.unreadable.length;
    show({ keyId: box.keyId, reencrypted, left, unreadable }, () => {
      print(
        `${secrets(reencrypted)} re-encrypted with the key ${box.keyId}; ${String(left)} remaining.`,
      );
      if (left > 0) {
        print(
          'A process still writes with a former key. Restart it with the new key, then run this command again.',
        );
      } else if (read.SECRETS_KEY_PREVIOUS.length > 0) {
        print('SECRETS_KEY_PREVIOUS is no longer needed: remove it, then restart each process.');
      }
      if (unreadable > 0) {
        print(
          `${secrets(unreadable)} could not be read (damaged, or encrypted with a lost key) and were left unchanged: replace them, for example by rotating the secret of the webhook.`,
        );
      }
    });
  });
}

/** Creates a new key in the data folder for later starts. The former key stays until all secrets are re-encrypted. */
async function makeKey(
  read: SecretsSettings,
  dataDir: string | undefined,
  isStarted: boolean,
): Promise<void> {
  if (!hasKeyFile(read, dataDir)) {
    throw new OperatorError(
      'The key is set in SECRETS_KEY: set a new key there and the former key in SECRETS_KEY_PREVIOUS, and omit --new-key. For the order of steps see "Change the secrets key" in docs/operate/secrets-key.md.',
    );
  }
  if (!isStarted) {
    throw new OperatorError(
      'The service is running on this data folder and would not pick up the new key: stop it, run this command, then start it again.',
    );
  }
  const { key, previous } = await secretsKeysOf({ ...read, SECRETS_KEY_PREVIOUS: [] });
  await writeSecretsKeys(dataDir, { key: randomBytes(32), previous: [key, ...previous] });
}

/** True if the keys are in the data folder and not in the settings. */
function hasKeyFile({ SECRETS_KEY }: SecretsSettings, dataDir?: string): dataDir is string {
  return dataDir !== undefined && SECRETS_KEY === undefined;
}

async function boxOf(read: SecretsSettings): Promise<SecretBox> {
  const { key, previous } = await secretsKeysOf(read);
  return new SecretBox(key, previous);
}

function withSecrets(
  read: SecretsSettings,
  work: (dataSource: DataSource, isStarted: boolean) => Promise<void>,
): Promise<void> {
  return withDatabase(settings(), async (dataSource, isStarted) => {
    await requireSchema(dataSource, read.DATA_DIR);
    await work(dataSource, isStarted);
  });
}

function nameOf(keyId: string, box: SecretBox): string {
  if (keyId === box.keyId) return 'present';
  return box.keyIds.includes(keyId) ? 'former' : 'unknown';
}

function secrets(count: number): string {
  return count === 1 ? '1 stored secret' : `${String(count)} stored secrets`;
}
