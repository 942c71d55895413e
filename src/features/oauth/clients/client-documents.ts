import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { AppError } from '../../../platform/basics/errors/app-error.js';
import { reasonOf } from '../../../platform/basics/errors/reason.js';
import { Config } from '../../../platform/config/config.js';
import { isLoopback } from '../../../platform/http/oauth-issuer.js';
import { isAllowedAddress } from '../../../platform/network/allowed-address.js';
import { GuardedFetch } from '../../../platform/network/guarded-fetch.js';
import { Log } from '../../../platform/operation/log.js';
import { appName, MAX_REDIRECT_URIS, type AppClient } from './app-client.js';
import { redirectProblem } from './redirect-uris.js';
import { isListOfText } from './registration.js';

const TIME_LIMIT_MS = 5_000;
const MAX_DOCUMENT_BYTES = 10 * 1024;
const MAX_CACHED = 500;
/** How long a document is cached, in seconds: as long as its Cache-Control says, within these bounds. */
const MIN_AGE_S = 60;
const MAX_AGE_S = 86_400;

interface CachedClient {
  client: AppClient;
  until: Date;
}

/**
 * Reads client ID metadata documents: a client ID can be the HTTPS URL of a document that describes the app. The host of
 * the URL vouches for the app. See docs/adr/0040-oauth-for-apps.md.
 */
@Injectable()
export class ClientDocuments implements OnApplicationShutdown {
  private readonly cache = new LRUCache<string, CachedClient>({ max: MAX_CACHED });
  private readonly reading = new Map<string, Promise<AppClient>>();
  private readonly guarded: GuardedFetch;

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    this.guarded = new GuardedFetch({
      isAllowed: (address) => isAllowedAddress(address, config.webhookAllowedNetworks),
      connectTimeoutMs: TIME_LIMIT_MS,
      maxResponseBytes: MAX_DOCUMENT_BYTES,
    });
  }

  /** True if the client ID is a URL that can have a document. */
  isDocument(clientId: string): boolean {
    if (!URL.canParse(clientId)) return false;
    const { href, protocol, hostname, pathname, hash, username, password } = new URL(clientId);
    const isSecure =
      protocol === 'https:' ||
      (protocol === 'http:' && this.config.webhookAllowHttp && isLoopback(hostname));
    const isPlain = hash === '' && username === '' && password === '' && pathname !== '/';
    return isSecure && isPlain && href === clientId;
  }

  /** Returns the app that the document describes. Concurrent calls share one request. Throws `bad_request`. */
  async read(clientId: string): Promise<AppClient> {
    const cached = this.cache.get(clientId);
    if (cached && cached.until > this.clock.now()) return cached.client;
    const running = this.reading.get(clientId);
    if (running) return running;
    const started = this.fetch(clientId).finally(() => this.reading.delete(clientId));
    this.reading.set(clientId, started);
    return started;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.guarded.close();
  }

  private async fetch(clientId: string): Promise<AppClient> {
    const signal = AbortSignal.timeout(TIME_LIMIT_MS);
    let response: Response;
    let text: string;
    try {
      response = await this.guarded.fetch(clientId, {
        signal,
        headers: { accept: 'application/json' },
      });
      text = await response.text();
    } catch (error) {
      this.log.info(
        { clientId, reason: reasonOf(error) },
        'The description of an app is unreachable.',
      );
      throw unusable(
        'could not be read within 5 seconds and 10 KiB, from a public address and without a redirect',
      );
    }
    if (response.status !== 200)
      throw unusable(`was answered with status ${String(response.status)}`);
    const client = clientIn(text, clientId);
    const until = new Date(this.clock.now().getTime() + ageOf(response.headers) * 1000);
    this.cache.set(clientId, { client, until });
    return client;
  }
}

function clientIn(text: string, clientId: string): AppClient {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw unusable('is not JSON');
  }
  const {
    client_id: id,
    client_name: name,
    redirect_uris: uris,
  } = (document ?? {}) as Record<string, unknown>;
  if (id !== clientId) throw unusable('does not contain its own URL as client_id');
  const redirectUris = (isListOfText(uris) ? uris : [])
    .slice(0, MAX_REDIRECT_URIS)
    .filter((uri) => redirectProblem(uri) === undefined);
  if (redirectUris.length === 0) throw unusable('has no redirect URI that can be used');
  const { host } = new URL(clientId);
  return { id: clientId, name: appName(name, host), host, redirectUris };
}

/** Returns how long a response can be cached, in seconds. */
function ageOf(headers: Headers): number {
  const [, seconds = ''] =
    /(?:^|[\s,])max-age=(\d{1,9})/i.exec(headers.get('cache-control') ?? '') ?? [];
  return Math.min(Math.max(Number(seconds), MIN_AGE_S), MAX_AGE_S);
}

function unusable(issue: string): AppError {
  return new AppError(
    'bad_request',
    `The app cannot be connected: the document that describes it ${issue}. Tell the maker of the app.`,
    { field: 'client_id', issue: `its document ${issue}` },
  );
}
