import type { Command } from 'commander';
import { runningService } from '@document-service/embedded-postgres/data-folder-sockets';
import { environment } from '../../../platform/config/environment.js';
import { parseVariables } from '../../../platform/config/variables.js';
import { localOrigin } from '../../../platform/http/public-origin.js';
import { OperatorError } from '../../../platform/basics/errors/app-error.js';
import { currentRun } from '../command-run.js';

const LOCAL = environment.pick({ DATABASE_URL: true, DATA_DIR: true, HOST: true, PORT: true });

export function define(command: Command): void {
  command
    .addHelpText(
      'after',
      '\nReads DOCUMENT_SERVICE_KEY, and DOCUMENT_SERVICE_URL (default: the service on the data folder, or http://localhost:3000).',
    )
    .action(async () => {
      const { serveStdio } = await import('../../../features/mcp/stdio.js');
      const { env } = currentRun();
      await serveStdio(async () => ({ key: keyIn(env), url: await urlIn(env) }));
    });
}

/** Earlier releases documented DOCUMENT_SERVICE_API_KEY. */
function keyIn({ DOCUMENT_SERVICE_KEY, DOCUMENT_SERVICE_API_KEY }: NodeJS.ProcessEnv): string {
  const key = [DOCUMENT_SERVICE_KEY, DOCUMENT_SERVICE_API_KEY].find((value) => value?.trim());
  if (key === undefined) {
    throw new OperatorError(
      'Set DOCUMENT_SERVICE_KEY to an API key of the account. To create one: npm run -s cli -- keys create --email owner@example.com',
    );
  }
  // If the key cannot be sent in a header, every request would fail as if the service were down.
  if (!/^[\x21-\x7e]+$/.test(key.trim())) {
    throw new OperatorError('DOCUMENT_SERVICE_KEY is not an API key. Copy it again.');
  }
  return key.trim();
}

async function urlIn(env: NodeJS.ProcessEnv): Promise<string> {
  const url = env['DOCUMENT_SERVICE_URL'];
  if (url === undefined || url.trim() === '') return localUrl(env);
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol) || parsed.username !== '') {
    throw new OperatorError(
      'DOCUMENT_SERVICE_URL is not a valid URL. Set it to a URL such as http://localhost:3000 or https://documents.example.com.',
    );
  }
  // Accept the URLs of the API and of /mcp.
  return parsed.origin + parsed.pathname.replace(/\/(?:v1|mcp)?\/?$/, '');
}

/** Returns the URL of the service that runs on the data folder, or that for `HOST` and `PORT`. */
async function localUrl(env: NodeJS.ProcessEnv): Promise<string> {
  const { DATABASE_URL, DATA_DIR, HOST, PORT } = parseVariables(LOCAL, env);
  const running = DATABASE_URL === undefined ? await runningService(DATA_DIR) : undefined;
  return running?.localUrl ?? localOrigin(HOST, PORT);
}
