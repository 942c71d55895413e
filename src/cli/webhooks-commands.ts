import { InvalidArgumentError, type Command } from 'commander';
import { WHSEC_IS_BASE64 } from '../webhooks/webhook-secret.js';
import { parsePort, parseStatus } from './arguments.js';
import { listen } from './webhook-listener.js';

interface ListenOptions {
  port: number;
  host: string;
  secret: string[];
  status: number;
  json?: true;
}

export function addWebhooksCommands(program: Command): void {
  const command = program.command('webhooks').description('webhooks while developing');
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

function collectSecret(secret: string, others: string[]): string[] {
  if (secret === '') throw new InvalidArgumentError('Give the secret of the webhook.');
  if (!WHSEC_IS_BASE64.test(secret)) {
    throw new InvalidArgumentError(
      'What follows whsec_ is base64 with its padding; copy the whole secret.',
    );
  }
  return [...others, secret];
}
