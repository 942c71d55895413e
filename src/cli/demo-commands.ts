import type { Command } from 'commander';
import type { Environment } from '../config/environment.js';
import { parseCount } from './arguments.js';
import { print, printJson, remark } from './output.js';
import type { CliSettings } from './settings.js';

interface DemoFlags {
  email: string;
  documents: number;
  json?: true;
}

/** `environment` is that of the service itself: webhooks and quotas follow its settings. */
export function addDemoCommands(
  program: Command,
  settings: () => CliSettings,
  environment: () => Environment,
): void {
  program
    .command('demo')
    .description('make an account with documents that look real, two webhooks and their deliveries')
    .option(
      '--email <address>',
      'whose account it is; made when the e-mail is new',
      'demo@example.com',
    )
    .option('--documents <n>', 'how many documents', parseCount, 300)
    .option('--json', 'print one line of JSON')
    .action((flags: DemoFlags) => demo(settings(), environment(), flags));
}

async function demo(
  settings: CliSettings,
  environment: Environment,
  { email, documents, json }: DemoFlags,
): Promise<void> {
  const [
    { withDatabase, requireSchema },
    { makeDemo },
    { Config },
    { loadOrCreateSecretsKey },
    { encodeId },
    { threadModule },
  ] = await Promise.all([
    import('./database-session.js'),
    import('../demo/make-demo.js'),
    import('../config/config.js'),
    import('../boot/secrets-key.js'),
    import('../identifiers/identifiers.js'),
    import('../threads/thread-task.js'),
  ]);
  const { publicUrl: origin, dataDir } = settings;
  const { account, key, received } = await withDatabase(settings, async (dataSource) => {
    await requireSchema(dataSource, dataDir);
    const { url } = dataSource.options as { url: string };
    const secretsKey =
      environment.SECRETS_KEY ?? (await loadOrCreateSecretsKey(environment.DATA_DIR));
    const config = new Config({ ...environment, PROCESS_ROLE: 'api' }, url, secretsKey);
    return makeDemo(config, threadModule(import.meta.url, '../job-thread'), {
      email,
      documents,
      origin,
    });
  });
  const accountId = encodeId('account', account.id);
  const owner = account.owner.email;
  if (json) {
    printJson({ accountId, email: owner, key, documents });
  } else {
    print(
      `${accountId} of ${owner} has ${String(documents)} new documents and two webhooks. Its key, shown this once:`,
    );
    print(key);
  }
  remark(`A link to see them in the dashboard: npm run -s cli -- users link --email ${owner}`);
  remark('A running service delivers their events now, one that is started later does it then.');
  if (!received) {
    remark('Nobody answers the webhooks: TEST_RECEIVERS=true would turn test receivers on.');
  }
}
