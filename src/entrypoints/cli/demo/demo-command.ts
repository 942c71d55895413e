import type { Command } from 'commander';
import { secretsKeysOf } from '../../boot/secrets-key.js';
import { Config, readEnvironment } from '../../../platform/config/config.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { SecretBox } from '../../../platform/secrets/secret-box.js';
import { requireSecretsKey } from '../../../platform/secrets/secrets-key-check.js';
import { threadModule } from '../../../platform/threads/thread-task.js';
import { parseCount, VOUCH } from '../arguments.js';
import { currentRun } from '../command-run.js';
import { requireSchema, withDatabase } from '../database-session.js';
import { print, remark, show } from '../output.js';
import { serviceUrl, settings } from '../settings.js';

const JOB_THREAD = threadModule(import.meta.url, '../../../job-thread');

interface Flags {
  email: string;
  documents: number;
  vouch?: boolean;
}

export function define(command: Command): void {
  command
    .option(
      '--email <address>',
      'owner of the account; created if the e-mail address is new',
      'demo@example.com',
    )
    .option('--documents <n>', 'number of documents', parseCount, 300)
    .option(...VOUCH)
    .action(demo);
}

/** Uses the settings of the service for webhooks and quotas. */
async function demo({ email, documents, vouch = false }: Flags): Promise<void> {
  const read = settings();
  // Loading the whole service takes a second.
  const { makeDemo } = await import('./make-demo.js');
  const environment = { ...readEnvironment(currentRun().env), PROCESS_ROLE: 'api' as const };
  const { account, key, received } = await withDatabase(
    read,
    async (dataSource) => {
      await requireSchema(dataSource, read.dataDir);
      const { url } = dataSource.options as { url: string };
      const { key: secretsKey, previous } = await secretsKeysOf(environment);
      // With a different key, the service could not read the secrets of the new webhooks.
      await requireSecretsKey(dataSource, new SecretBox(secretsKey, previous));
      const config = new Config(environment, url, secretsKey, previous);
      const origin = await serviceUrl(read);
      return makeDemo(config, JOB_THREAD, { email, documents, origin, vouch });
    },
    { mayCreate: true },
  );
  const accountId = encodeId('account', account.id);
  const owner = account.owner.email;
  show({ accountId, email: owner, key, documents }, () => {
    print(
      `${accountId} of ${owner} has ${String(documents)} new documents and two webhooks. Its key, shown only once:`,
    );
    print(key);
  });
  remark(`To create a dashboard link: npm run -s cli -- users link --email ${owner}`);
  remark(
    'A running service delivers their events now; otherwise they are delivered after the next start.',
  );
  if (!received) {
    remark('The webhooks have no receiver: set TEST_RECEIVERS=true to turn on test receivers.');
  }
}
