import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { OpenAPIObject } from '@nestjs/swagger';
import { request } from 'undici';
import { freePort } from '@document-service/embedded-postgres/free-port';
import { makeAccount } from '../support/accounts.js';
import { ApiClient } from '../support/api-client.js';
import { Browser } from '../support/browser.js';
import { openTestDatabase } from '../support/postgres.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { ApiDocument } from '../openapi/api-document.js';

/**
 * CPU time of the main thread. Twice the target of ADR 0004, because the same work can take up to twice the CPU time on a
 * core that other processes share. A request that freezes the service takes seconds.
 */
export const MAX_HOLD_MS = 100;

export const [V1, DASHBOARD] = ['openapi.json', 'openapi.dashboard.json'].map(
  (file) => new ApiDocument(JSON.parse(readFileSync(file, 'utf8')) as OpenAPIObject),
) as [ApiDocument, ApiDocument];

/** Somebody who is signed in, with an account. */
export interface Person {
  browser: Browser;
  userId: string;
  accountId: string;
}

/** A service that measures for how long requests block its event loop. */
export class MeasuredService {
  private constructor(
    private readonly process: ServiceProcess,
    private readonly database: Awaited<ReturnType<typeof openTestDatabase>>,
    private readonly holdsPort: number,
    readonly key: string,
    readonly api: ApiClient,
  ) {}

  static async start(): Promise<MeasuredService> {
    const database = await openTestDatabase();
    const holdsPort = await freePort();
    const process = await startService({
      DATABASE_URL: database.url,
      SECRETS_KEY: randomBytes(32).toString('base64'),
      PROCESS_ROLE: 'all',
      SIGNUP: 'open',
      TEST_RECEIVERS: 'true',
      TRUST_PROXY: '1',
      NODE_OPTIONS: `--import ${pathToFileURL(resolve('test/support/loop-holds.mjs')).href}`,
      LOOP_HOLDS_PORT: String(holdsPort),
    });
    const { key } = await makeAccount(database.dataSource);
    return new MeasuredService(
      process,
      database,
      holdsPort,
      key,
      new ApiClient(process.origin, key),
    );
  }

  get origin(): string {
    return this.process.origin;
  }

  async end(): Promise<void> {
    expect(await this.process.end('SIGTERM')).toBe(0);
    await this.database.drop();
  }

  /** Creates something by a POST. Returns its ID. */
  async create(path: string, body: object): Promise<string> {
    return ((await this.api.send('POST', path, { body })).body.data as { id: string }).id;
  }

  /** Signs up a person, each from another address. */
  async signUp(): Promise<Person> {
    const address = Array.from(randomBytes(3)).join('.');
    const browser = new Browser(this.origin, { 'x-forwarded-for': `10.${address}` });
    const { user, accounts } = await browser.signUp();
    return { browser, userId: user?.id ?? '', accountId: accounts[0]?.id ?? '' };
  }

  /** Returns the longest block since the last call, in ms. */
  async longestHold(): Promise<number> {
    const { body } = await request(`http://127.0.0.1:${String(this.holdsPort)}/`);
    return ((await body.json()) as { longest: number }).longest;
  }
}
