import { InvalidArgumentError, type Command } from 'commander';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { presentWebhook } from '../../../features/webhooks/webhook.presenter.js';
import { WHSEC_IS_BASE64 } from '../../../features/webhooks/signing/webhook-secret.js';
import { parsePort, parseStatus } from '../arguments.js';
import { printTable, show } from '../output.js';
import { withServices } from '../services.js';
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
    .description('list the webhooks of all accounts with their state')
    .option('--account <id>', 'only webhooks of this account (acct_…)')
    .action(listWebhooks);
  command
    .command('listen')
    .description('receive deliveries on this machine and verify their signatures')
    .option(
      '--port <port>',
      'port to listen on, for every path; 0 selects a free one',
      parsePort,
      4000,
    )
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option(
      '--secret <secret>',
      'secret of the webhook; repeat the option during a rotation',
      collectSecret,
      [],
    )
    .option('--status <code>', 'status to respond with', parseStatus, 200)
    .option('--json', 'print one line of JSON per delivery')
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
  if (secret === '') throw new InvalidArgumentError('Enter the secret of the webhook.');
  if (!WHSEC_IS_BASE64.test(secret)) {
    throw new InvalidArgumentError(
      'Copy the whole secret: the part after whsec_ must be padded base64.',
    );
  }
  return [...others, secret];
}
