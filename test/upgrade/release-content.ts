import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { hang, WebhookReceiver } from '../support/webhook-receiver.js';

/** The content of a dump, for the test that upgrades it. The secrets are not used anywhere else. */
export interface ReleaseContent {
  secretsKey: string;
  apiKey: string;
  /** A document with several versions, its latest content, and a word that only it contains. */
  edited: { id: string; version: number; content: string; tag: string; word: string };
  /** A document whose analysis is stored. */
  analyzed: { id: string; analysisId: string };
  webhook: { id: string; secret: string; header: [name: string, value: string] };
  /** Titles of documents whose deliveries have not succeeded: failed once, in progress, and never tried. */
  undelivered: { retry: string; leased: string; pending: string };
}

type Body = Record<string, any>;

export class CallError extends Error {
  constructor(
    readonly status: number,
    /** From the header `Retry-After`; 1 without it. */
    readonly retryAfterSeconds: number,
    message: string,
  ) {
    super(message);
  }
}

/** Calls the API under `/v1` and returns `data`. Throws a CallError for a response other than 2xx. */
export async function call(
  { origin }: Pick<ServiceProcess, 'origin'>,
  apiKey: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<any> {
  const reply = await fetch(`${origin}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  if (!reply.ok) {
    const retryAfterSeconds = Number(reply.headers.get('retry-after') ?? 1);
    const message = `${method} ${path}: ${String(reply.status)} ${text}`;
    throw new CallError(reply.status, retryAfterSeconds, message);
  }
  return (JSON.parse(text) as Body)['data'];
}

/** Returns settings for processes on a database whose receivers are on this machine. */
export function serviceSettings(databaseUrl: string, secretsKey: string): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    SECRETS_KEY: secretsKey,
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    LOG_LEVEL: 'warn',
  };
}

/** Creates a key for a new account with the command line of the build. */
export function createKey(build: string, settings: Record<string, string>): string {
  const words = ['keys', 'create', '--email', 'ada@example.com', '--plan', 'enterprise', '--json'];
  const output = execFileSync(process.execPath, [join(build, 'cli.js'), ...words], {
    env: { ...process.env, ...settings },
    encoding: 'utf8',
  });
  return (JSON.parse(output) as { key: string }).key;
}

/** Fills an empty database through the processes of a build, which have ended when this returns. */
export async function fillDatabase(build: string, databaseUrl: string): Promise<ReleaseContent> {
  const secretsKey = Buffer.alloc(32, 'release').toString('base64');
  const settings = serviceSettings(databaseUrl, secretsKey);
  const program = join(build, 'main.js');
  const receiver = await WebhookReceiver.start();
  const api = await startService({ ...settings, PROCESS_ROLE: 'api' }, program);
  const worker = await startService({ ...settings, PROCESS_ROLE: 'worker' }, program);
  try {
    const apiKey = createKey(build, settings);
    const send = (method: string, path: string, body?: unknown) =>
      call(api, apiKey, method, path, body);
    const create = (title: string, fields: Body = {}) =>
      send('POST', '/documents', { title, content: `The text of ${title}.`, ...fields });

    const edited = await create('Edited', {
      content: 'First draft.',
      metadata: { tags: ['upgrade'], project: 'Releases' },
    });
    const content = 'Second draft, with the uncommon word zymurgy.';
    await send('PATCH', `/documents/${edited.id}`, { content });
    const published = await send('PATCH', `/documents/${edited.id}`, { status: 'published' });
    await send('DELETE', `/documents/${(await create('Deleted')).id}`);
    await send('POST', '/templates', {
      name: 'Letter',
      content: 'Dear {{name}},',
      title: 'Letter',
    });

    const analyzed = await create('Analyzed', {
      content: 'This is an sentence with a mistake. It are short.',
    });
    await send('POST', `/documents/${analyzed.id}/analyze`, {});
    const analyses = await until('the analysis', async () => {
      const found = (await send('GET', `/documents/${analyzed.id}/analyses`)) as Body[];
      return found.length > 0 ? found : undefined;
    });

    const header: [string, string] = ['x-receiver-token', 'token-of-the-receiver'];
    const webhook = await send('POST', '/webhooks', {
      url: receiver.url,
      events: ['document.created'],
      headers: Object.fromEntries([header]),
    });
    await create('Delivered');
    await receiver.gets(1);
    receiver.behave((_, response) => response.writeHead(500).end());
    await create('Retried');
    await until('the failed attempt', async () => {
      const found = (await send('GET', `/webhooks/${webhook.id}/deliveries`)) as Body[];
      return found.find(({ status, attemptCount }) => status === 'pending' && attemptCount === 1);
    });
    const before = receiver.received.length;
    receiver.behave(hang);
    await create('Leased');
    await receiver.gets(before + 1);
    await worker.end('SIGKILL');
    await create('Pending');
    return {
      secretsKey,
      apiKey,
      edited: {
        id: edited.id,
        version: published.version,
        content,
        tag: 'upgrade',
        word: 'zymurgy',
      },
      analyzed: { id: analyzed.id, analysisId: analyses[0]?.['id'] },
      webhook: { id: webhook.id, secret: webhook.secret, header },
      undelivered: { retry: 'Retried', leased: 'Leased', pending: 'Pending' },
    };
  } finally {
    await worker.end();
    await api.end();
    await receiver.close();
  }
}

const LIMIT_MS = 120_000;

/** Repeats the request until there is a result. */
export async function until<Result>(
  what: string,
  ask: () => Promise<Result | undefined>,
): Promise<Result> {
  const end = performance.now() + LIMIT_MS;
  for (;;) {
    const result = await ask();
    if (result !== undefined) return result;
    if (performance.now() > end) throw new Error(`Waited too long for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
