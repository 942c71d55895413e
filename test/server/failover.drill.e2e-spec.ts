import { spawn, spawnSync, type ChildProcessByStdio } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { freePort } from '@document-service/embedded-postgres/free-port';
import { dataSourceOptions } from '../../src/platform/database/pools.js';
import { SCHEMA } from '../../src/tables.js';
import { makeAccount } from '../support/accounts.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { describeWith } from '../support/describe-with.js';
import { drillCases, isFullDrill } from '../support/drills.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { endOf } from '../support/jobs.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { ReplicatedPostgres } from '../support/standby.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

const WRITERS = 16;
const SERVERS = ['a', 'b', 'c'] as const;
/** A limit for busy machines. */
const WITHIN_MS = 60_000;

const env = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin` };
const haproxyIsInstalled = spawnSync('haproxy', ['-v'], { env }).error === undefined;

/** How the primary is lost. `stop` is a planned switchover; `pause` is a machine that hangs with open connections. */
const LOSSES = drillCases(['crash', 'stop', 'pause'] as const, (loss) => loss === 'crash');

/** What a client saw of one request, on the monotonic clock. */
interface Attempt {
  at: number;
  status: number;
  id?: string;
}

/** An event, from the list or from a webhook. */
interface Seen {
  id: string;
  data: { document: { id: string } };
}

describeWith(
  'the program haproxy',
  haproxyIsInstalled,
  'a failover of PostgreSQL behind deploy/haproxy/postgresql.cfg',
  () => {
    let postgres: ReplicatedPostgres;
    let folder: string;
    let haproxy: ChildProcessByStdio<null, Readable, null>;
    /** HAProxy's log. It reports each server that goes down or up. */
    let proxyLog = '';
    let receiver: WebhookReceiver;
    let apis: ApiClient[];
    const services: ServiceProcess[] = [];
    /** The documents whose creation was acknowledged. */
    const acknowledged = new Set<string>();
    let primary = 'a';
    /** A server that was the primary before. */
    let former: string | undefined;

    const standbys = () => SERVERS.filter((name) => name !== primary);

    /** Starts HAProxy with the shipped file, in which only addresses are replaced. Returns its port. */
    async function startProxy(): Promise<number> {
      const port = await freePort();
      let text = await readFile('deploy/haproxy/postgresql.cfg', 'utf8');
      text = text.replace('bind :5432', `bind 127.0.0.1:${String(port)}`);
      for (const name of SERVERS) {
        const address = new RegExp(`(server ${name}) \\S+ check port 8008`);
        expect(text).toMatch(address);
        const own = `127.0.0.1:${String(postgres.port(name))} check port ${String(await postgres.startAgent(name))}`;
        text = text.replace(address, `$1 ${own}`);
      }
      const file = join(folder, 'postgresql.cfg');
      await writeFile(file, text);
      haproxy = spawn('haproxy', ['-db', '-f', file], { env, stdio: ['ignore', 'pipe', 'ignore'] });
      haproxy.stdout.on('data', (chunk: Buffer) => (proxyLog += chunk.toString()));
      return port;
    }

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'failover-'));
      postgres = await ReplicatedPostgres.start(primary);
      for (const name of standbys()) await postgres.addStandby(name);
      await postgres.waitFor(primary, standbys());
      const url = new URL(postgres.url(primary));
      url.port = String(await startProxy());
      const environment = {
        DATABASE_URL: url.href,
        SECRETS_KEY: randomBytes(32).toString('base64'),
        WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
        WEBHOOK_ALLOW_HTTP: 'true',
      };
      for (const role of ['api', 'api', 'worker']) {
        services.push(await startService({ ...environment, PROCESS_ROLE: role }));
      }
      const dataSource = new DataSource(dataSourceOptions(url.href, 2, SCHEMA));
      await dataSource.initialize();
      const { key } = await makeAccount(dataSource);
      await dataSource.destroy();
      apis = services.slice(0, 2).map(({ origin }) => new ApiClient(origin, key));
      receiver = await WebhookReceiver.start();
      const webhook = { url: receiver.url, events: ['document.created'] };
      expectSuccess(await api(0).registerWebhook(webhook), 201);
    }, 120_000);
    beforeEach(async () => {
      if (former === undefined) return;
      // It is rebuilt before it becomes a standby.
      await postgres.addStandby(former, { of: primary });
      await postgres.waitFor(primary, standbys());
      former = undefined;
    });
    afterAll(async () => {
      await Promise.all(services.map((service) => service.end('SIGKILL')));
      if (haproxy.kill()) await once(haproxy, 'exit');
      await receiver.close();
      await postgres.remove();
      await rm(folder, { recursive: true });
    });

    const api = (n: number) => apis[n % apis.length] as ApiClient;

    /** Creates a document. Fails if there is no response within {@link WITHIN_MS}. */
    async function create(n: number): Promise<ApiResponse> {
      const limit = new AbortController();
      const late = pause(WITHIN_MS, undefined, { signal: limit.signal }).then(() => {
        throw new Error(
          `The service does not respond:\n${services.map((one) => one.output()).join('\n')}`,
        );
      });
      const response = api(n).createDocument({ title: `Document ${String(n)}` });
      return Promise.race([response, late]).finally(() => {
        limit.abort();
        late.catch(() => undefined);
      });
    }

    /** Creates documents with {@link WRITERS} clients until `during` is over. Fails if a response is not 201 or 503. */
    async function writeDuring(
      during: (attempts: Attempt[]) => Promise<unknown>,
    ): Promise<Attempt[]> {
      const attempts: Attempt[] = [];
      let isOver = false;
      const writers = Array.from({ length: WRITERS }, async (_, first) => {
        for (let n = first; !isOver; n += 1) {
          const response = await create(n);
          if (response.status === 201) {
            const { id } = expectSuccess(response, 201) as { id: string };
            acknowledged.add(id);
            attempts.push({ at: performance.now(), status: 201, id });
            continue;
          }
          expectFailure(response, 503, 'INTERNAL_ERROR');
          expect(response.headers['retry-after']).toMatch(/^\d+$/);
          attempts.push({ at: performance.now(), status: 503 });
          await pause(50);
        }
      });
      const readers =
        acknowledged.size === 0 ? [] : [readUntil(() => isOver), readUntil(() => isOver)];
      const all = Promise.all([...writers, ...readers]);
      await Promise.race([all, during(attempts)]).finally(() => (isOver = true));
      await all;
      return attempts;
    }

    /** Sends other requests until `isOver` responds with true. Fails if a response is neither a success nor 503. */
    async function readUntil(isOver: () => boolean): Promise<void> {
      const [id = ''] = acknowledged;
      const requests: ((n: number) => Promise<ApiResponse>)[] = [
        (n) => api(n).listDocuments(),
        (n) => api(n).listDocuments({ q: 'document' }),
        (n) => api(n).readDocument(id),
        (n) => api(n).patchDocument(id, { title: `Changed ${String(n)}` }),
        (n) => api(n).listJobs(),
      ];
      for (let n = 0; !isOver(); n += 1) {
        const response = await requests[n % requests.length]?.(n);
        if (response?.status === 503) expectFailure(response, 503, 'INTERNAL_ERROR');
        else expectSuccess(response as ApiResponse);
        await pause(5);
      }
    }

    const created = (attempts: readonly Attempt[]) =>
      attempts.filter(({ status }) => status === 201).length;

    /** Resolves after `count` more documents were created. */
    const moreOf = (attempts: readonly Attempt[], count: number) => {
      const before = created(attempts);
      return eventually(
        () => created(attempts) - before,
        (more) => more >= count,
        WITHIN_MS,
      );
    };

    /** Follows the events of the account by cursor, as a client does. `seen` grows until `stop()`. */
    async function follow(): Promise<{ seen: Seen[]; stop: () => Promise<void> }> {
      const seen: Seen[] = [];
      let isOver = false;
      const cursorOf = (response: ApiResponse) =>
        (response.body.meta as { pagination: { nextCursor: string } }).pagination.nextCursor;
      const first = await api(0).listEvents({ after: 'now' });
      expectSuccess(first);
      const run = async () => {
        for (let after = cursorOf(first), n = 0; !isOver; n += 1) {
          const response = await api(n).listEvents({ after, limit: 100 });
          if (response.status !== 503) {
            seen.push(...(expectSuccess(response) as Seen[]));
            after = cursorOf(response);
          }
          await pause(50);
        }
      };
      const running = run();
      return {
        seen,
        stop: () => {
          isOver = true;
          return running;
        },
      };
    }

    const delivered = () => receiver.received.map(({ event }) => (event as Seen).data.document.id);

    /** Checks that every acknowledged document exists and its event was delivered. */
    async function expectNothingLost(): Promise<void> {
      for (const id of acknowledged) expectSuccess(await api(0).readDocument(id));
      await eventually(
        () => {
          const ids = new Set(delivered());
          return [...acknowledged].filter((id) => !ids.has(id));
        },
        (missing) => missing.length === 0,
        WITHIN_MS,
      );
    }

    it('a paused standby stops nothing', async () => {
      const [paused = ''] = standbys();
      await postgres.pause(paused);
      const attempts = await writeDuring((all) => moreOf(all, 100)).finally(() =>
        postgres.resume(paused),
      );
      expect(created(attempts)).toBe(attempts.length);
    }, 120_000);

    (isFullDrill ? it : it.skip)(
      'without any standby, changes respond with 503, reads go on, and changes continue with the first standby',
      async () => {
        for (const name of standbys()) await postgres.pause(name);
        const changes = Promise.all(Array.from({ length: WRITERS }, (_, n) => create(n)));
        const [id = ''] = acknowledged;
        try {
          for (let n = 0; n < 20; n += 1) {
            expectSuccess(await api(n).readDocument(id));
            expectSuccess(await api(n).listDocuments());
            await pause(250);
          }
          for (const response of await changes) expectFailure(response, 503, 'INTERNAL_ERROR');
        } finally {
          for (const name of standbys()) await postgres.resume(name);
        }
        await writeDuring((all) => moreOf(all, WRITERS));
        await expectNothingLost();
      },
      180_000,
    );

    it.each(LOSSES)(
      'A failover loses nothing acknowledged, delivers every event, and recovers by itself (%s)',
      async (loss) => {
        const old = primary;
        const events = await follow();
        let promotedAt = 0;
        let job: ApiResponse | undefined;
        const attempts = await writeDuring(async (all) => {
          await moreOf(all, 100);
          job = await api(0).exportAccount();
          await postgres[loss](old);
          const next = await postgres.mostAdvanced(standbys());
          const [other = ''] = standbys().filter((name) => name !== next);
          // As Patroni does: the new primary waits for a standby from its first commit.
          await postgres.configure(next, { synchronous_standby_names: `ANY 1 (${other})` });
          await postgres.promote(next);
          promotedAt = performance.now();
          primary = next;
          former = old;
          await postgres.follow(other, next);
          await moreOf(all, 100);
        });
        const successes = attempts.filter(({ status, at }) => status === 201 && at > promotedAt);
        const failures = attempts.filter(({ status }) => status !== 201);
        const after = (at: number | undefined) => ((at ?? NaN) - promotedAt) / 1_000;
        process.stderr.write(
          `${loss}: ${String(failures.length)} of ${String(attempts.length)} creates failed, all with 503. ` +
            `First success ${after(successes[0]?.at).toFixed(2)} s and last failure ` +
            `${after(failures.at(-1)?.at).toFixed(2)} s after the promotion.\n`,
        );
        expect(failures.length).toBeGreaterThan(0);
        await expectNothingLost();
        await eventually(
          () => {
            const documents = new Set(events.seen.map(({ data }) => data.document.id));
            return created(attempts) - attempts.filter(({ id = '' }) => documents.has(id)).length;
          },
          (missing) => missing === 0,
          WITHIN_MS,
        );
        await events.stop();
        expect(new Set(events.seen.map(({ id }) => id)).size).toBe(events.seen.length);
        if (job?.status === 202)
          expect((await endOf(api(0), job, WITHIN_MS)).status).toBe('succeeded');
        for (const { child } of services) expect(child.exitCode).toBeNull();
        // The workers listen again, so new work starts without waiting for the next poll.
        await eventually(
          () =>
            postgres.query(
              primary,
              `SELECT 1 FROM pg_stat_activity WHERE application_name IN ('document-service jobs', 'document-service deliveries')`,
            ),
          ({ length }) => length === 2,
          WITHIN_MS,
        );

        // Started again by mistake, the old primary is writable and says so, but gets no connections.
        await postgres.crash(old);
        proxyLog = '';
        await postgres.start(old);
        await eventually(
          () => proxyLog.includes(`Server postgresql/${old} is UP`),
          Boolean,
          WITHIN_MS,
        );
        await writeDuring((all) => moreOf(all, 100));
        const connections = await postgres.query(
          old,
          `SELECT application_name, query FROM pg_stat_activity WHERE application_name LIKE 'document-service%'`,
        );
        expect(connections).toEqual([]);
        await expectNothingLost();
      },
      180_000,
    );
  },
);
