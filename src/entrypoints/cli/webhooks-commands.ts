import { InvalidArgumentError, type Command } from 'commander';
import { encodeId } from '../../platform/basics/identifiers/identifiers.js';
import { presentWebhook } from '../../features/webhooks/webhook.presenter.js';
import { WHSEC_IS_BASE64 } from '../../features/webhooks/signing/webhook-secret.js';
import { parsePort, parseStatus } from './arguments.js';
import { printTable, show } from './output.js';
import { withServices } from './services.js';
import { listen } from './webhook-listener.js';

interface ListenOptions {
  port: number;
  host: string;
  secret: string[];
  status: number;
  json?: true;
}

export function define(command: Command): void {
  command
    .command('list')
    .description('list webhooks with their state, of all accounts')
    .option('--account <id>', 'of this account only (acct_…)')
    .action(listWebhooks);
  command
    .command('listen')
    .description('receive deliveries on this machine, and show whether their signatures hold')
    .option('--port <port>', 'where to listen, on every path; 0 takes a free one', parsePort, 4000)
    .option('--host <address>', 'the address to listen at', '127.0.0.1')
    .option(
      '--secret <secret>',
      'the secret of the webhook; give it twice while one is rotated',
      collectSecret,
      [],
    )
    .option('--status <code>', 'what each delivery is answered', parseStatus, 200)
    .option('--json', 'print one line of JSON a delivery')
    .action((options: ListenOptions) =>
      listen({
        port: options.port,
        host: options.host,
        secrets: options.secret,
        status: options.status,
        json: options.json ?? false,
      }),
    );
}

async function listWebhooks({ account }: { account?: string }): Promise<void> {
  const webhooks = await withServices(async ({ operator, webhooks: repository }) =>
    repository.listForOperator(
      account === undefined ? undefined : (await operator.find(account)).id,
    ),
  );
  const shown = webhooks.map((webhook) => ({
    ...presentWebhook(webhook),
    accountId: encodeId('account', webhook.accountId),
  }));
  show(shown, () => {
    printTable(
      ['ID', 'ACCOUNT', 'URL', 'EVENTS', 'STATE', 'LAST DELIVERY'],
      shown.map(({ id, accountId, url, events, status, failingSince, lastDeliveryAt }) => [
        id,
        accountId,
        url,
        events.join(','),
        status === 'active' && failingSince !== null ? `failing since ${failingSince}` : status,
        lastDeliveryAt ?? '-',
      ]),
    );
  });
}

function collectSecret(secret: string, others: string[]): string[] {
  if (secret === '') throw new InvalidArgumentError('Give the secret of the webhook.');
  if (!WHSEC_IS_BASE64.test(secret)) {
    throw new InvalidArgumentError(
      'What follows whsec_ is base64 with its padding; copy the whole secret.',
    );
  }
  return [...others, secret];
}
