import type { Command } from 'commander';
import { localOrigin } from '../../../platform/http/public-origin.js';
import { OperatorError } from '../../../platform/basics/errors/app-error.js';
import { currentRun } from '../command-run.js';

const DEFAULT_PORT = 3_000;

export function define(command: Command): void {
  command
    .addHelpText(
      'after',
      '\nReads DOCUMENT_SERVICE_KEY, and DOCUMENT_SERVICE_URL (default: http://localhost:3000).',
    )
    .action(async () => {
      const { serveStdio } = await import('../../../features/mcp/stdio.js');
      const { env } = currentRun();
      await serveStdio(() => ({ key: keyIn(env), url: urlIn(env) }));
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

function urlIn({ DOCUMENT_SERVICE_URL: url, PORT: port }: NodeJS.ProcessEnv): string {
  const local = localOrigin('localhost', Number(port) || DEFAULT_PORT);
  if (url === undefined || url.trim() === '') return local;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol) || parsed.username !== '') {
    throw new OperatorError(
      'DOCUMENT_SERVICE_URL is not a valid URL. Set it to a URL such as http://localhost:3000 or https://documents.example.com.',
    );
  }
  // Accept the URLs of the API and of /mcp.
  return parsed.origin + parsed.pathname.replace(/\/(?:v1|mcp)?\/?$/, '');
}
