import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { once } from 'node:events';
import { Agent, request } from 'undici';
import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { makeAccount } from '../support/accounts.js';
import { openTestDatabase } from '../support/postgres.js';
import { startService } from '../support/service-process.js';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.drop());

const SECRETS_KEY = randomBytes(32).toString('base64');
const environment = () => ({
  DATABASE_URL: database.url,
  SECRETS_KEY,
  PROCESS_ROLE: 'api',
});

describe('a shutdown', () => {
  it('a shutdown fails no request of clients that keep their connections busy, and ends with exit code 0', async () => {
    const { key } = await makeAccount(database.dataSource);
    const service = await startService(environment());
    const outcomes = { responded: 0, refusedAfterClose: 0, failed: [] as string[] };
    let terminated = false;
    const client = async () => {
      // One connection per client, reopened if the service closed it after a response.
      const agent = new Agent({ connections: 1, pipelining: 1 });
      for (;;) {
        try {
          const response = await request(`${service.origin}/v1/documents`, {
            method: 'POST',
            dispatcher: agent,
            headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
            body: '{"title":"under load"}',
          });
          await response.body.dump();
          if (response.statusCode === 201) outcomes.responded += 1;
          else outcomes.failed.push(String(response.statusCode));
        } catch (error) {
          const { code } = error as { code?: string };
          // The listener is closed, so nothing was sent or lost.
          if (terminated && code === 'ECONNREFUSED') outcomes.refusedAfterClose += 1;
          else outcomes.failed.push(code ?? String(error));
          await agent.close();
          return;
        }
      }
    };
    const clients = Promise.all(Array.from({ length: 16 }, client));
    while (outcomes.responded < 200) await new Promise((resolve) => setImmediate(resolve));
    terminated = true;
    const started = performance.now();
    const exit = await service.end('SIGTERM');
    await clients;
    expect(outcomes.failed).toEqual([]);
    expect(outcomes.refusedAfterClose).toBe(16);
    expect(exit).toBe(0);
    expect(performance.now() - started).toBeLessThan(15_000);
    const [row] = await database.dataSource.query<{ count: number }[]>(
      'SELECT count(*)::int AS count FROM documents',
    );
    expect(row?.count).toBe(outcomes.responded);
  });

  it('a shutdown notifies load balancers first, while it still responds', async () => {
    const { key } = await makeAccount(database.dataSource);
    const service = await startService({ ...environment(), SHUTDOWN_DELAY_MS: '3000' });
    const ended = service.end('SIGTERM');
    let ready = 200;
    while (ready === 200) {
      const response = await request(`${service.origin}/health/ready`);
      await response.body.dump();
      ready = response.statusCode;
    }
    expect(ready).toBe(503);
    const response = await request(`${service.origin}/v1/documents`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(response.statusCode).toBe(200);
    await response.body.dump();
    expect(await ended).toBe(0);
  });

  it('a shutdown lets a slow request finish, and then closes its connection', async () => {
    const { key } = await makeAccount(database.dataSource);
    const service = await startService(environment());
    const socket = connect(service.port, '127.0.0.1');
    await once(socket, 'connect');
    const body = '{"title":"slow upload"}';
    socket.write(
      `POST /v1/documents HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${String(body.length)}\r\n\r\n${body.slice(0, 5)}`,
    );
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    const ended = service.end('SIGTERM');
    // The listener is closed, so the delay is over and only this request is left.
    for (;;) {
      const refused = await request(`${service.origin}/health/live`).then(
        ({ body: responded }) => responded.dump().then(() => false),
        () => true,
      );
      if (refused) break;
    }
    socket.write(body.slice(5));
    await once(socket, 'close');
    expect(received).toMatch(/^HTTP\/1\.1 201 /);
    expect(received).toMatch(/\r\nConnection: close\r\n/i);
    expect(await ended).toBe(0);
  });

  it('a shutdown ends in time under the heaviest requests, and loses nothing it has acknowledged', async () => {
    const account = await makeAccount(database.dataSource);
    const service = await startService({ ...environment(), PROCESS_ROLE: 'all' });
    const text = 'The quick brown fox jumps over the lazy dog.\n\n'.repeat(22_000);
    const operations = Array.from({ length: 7 }, () => ({
      op: 'create',
      document: { title: 'A', content: text },
    }));
    const swaps = Array.from({ length: 1_000 }, (_, n) => `  'w${String(n)}[^\\pL]{9}': x`);
    const files = Array.from({ length: 30 }, (_, n) => ({
      path: `A/${String(n)}.yml`,
      content: `extends: substitution\nswap:\n${swaps.join('\n')}\n`,
    }));
    const created: string[] = [];
    const send = async (path: string, body: object): Promise<void> => {
      // A request with a response is stored. The client may resend one without a response.
      const response = await request(service.origin + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${account.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }).catch(() => undefined);
      const responded = await response?.body.json().catch(() => undefined);
      const { data } = (responded ?? {}) as {
        data?: { results?: { id: string; status: number }[] };
      };
      for (const { id, status } of data?.results ?? []) if (status === 201) created.push(id);
    };
    const heavy = async () => {
      while (service.child.exitCode === null) {
        await Promise.all([
          send('/v1/documents/batch', { operations }),
          send('/v1/style-rules/import', { files }),
          send('/v1/analyze', { content: text.slice(0, 100_000) }),
        ]);
      }
    };
    const load = Promise.all(Array.from({ length: 4 }, heavy));
    while (created.length < 14) await new Promise((resolve) => setTimeout(resolve, 10));
    const started = performance.now();
    expect(await service.end('SIGTERM')).toBe(0);
    // The delay of one second, nine for requests in progress, and the end of modules and pools: about 12 s on an idle
    // machine. The files in `deploy/` give the process 20 to 30 s.
    expect(performance.now() - started).toBeLessThan(30_000);
    await load;
    const [stored] = await database.dataSource.query<{ count: number }[]>(
      'SELECT count(*)::integer AS count FROM documents WHERE account_id = $1 AND id = ANY ($2)',
      [account.accountId, created.map((id) => decodeId('document', id))],
    );
    expect(stored?.count).toBe(created.length);
  });
});
