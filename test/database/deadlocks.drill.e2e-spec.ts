import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { SCHEMA } from '../../src/tables.js';
import { dataSourceOptions } from '../../src/platform/database/pools.js';
import { TransactionalDataSource } from '../../src/platform/database/transactional-data-source.js';
import { AccountsRepository } from '../../src/features/auth/accounts/accounts.repository.js';
import { DeletedAccountEntity } from '../../src/features/people/members/entities/deleted-account.entity.js';
import { systemContext } from '../../src/features/auth/request-context.js';
import { Database } from '../../src/platform/database/database.js';
import { AccountService } from '../../src/features/people/members/account/account.service.js';
import { makeAccount, type TestAccount } from '../support/accounts.js';
import { ApiClient, type ApiResponse } from '../support/api-client.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { respondWith, WebhookReceiver } from '../support/webhook-receiver.js';
import { drillCount } from '../support/drills.js';

/** For a longer run: DEADLOCK_OPERATIONS=100000. */
const OPERATIONS = Number(
  process.env['DEADLOCK_OPERATIONS'] ?? drillCount({ small: 500, full: 3_000 }),
);
const CLIENTS = 24;
const SWEEP_EVERY_MS = 3_000;

let database: TestDatabase;
let dataSource: TransactionalDataSource;
beforeAll(async () => {
  database = await createTestDatabase();
  dataSource = await new TransactionalDataSource(
    dataSourceOptions(database.url, 4, SCHEMA),
  ).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

/** Documents of one account that several clients change. */
interface Tenant {
  /** One client for each process. */
  apis: ApiClient[];
  ids: string[];
  templateId: string;
  webhookIds: string[];
  /** Webhooks that are created and deleted. */
  moreWebhookIds: string[];
  receiver: string;
  account: TestAccount;
}

const pick = <Item>(items: readonly Item[]): Item => items[randomInt(items.length)] as Item;
const idOf = ({ body }: ApiResponse): string | undefined => body?.data?.id as string | undefined;

const text = () => `Text ${String(randomInt(1e9))} of a document that was wrote by somebody.`;
const newDocument = () => ({
  title: `Title ${String(randomInt(1e6))}`,
  content: text(),
  metadata: { tags: [`t${String(randomInt(5))}`], department: `d${String(randomInt(3))}` },
  ...(randomInt(20) === 0 && { aiSettings: { autoEnhance: true } }),
});
const key = () => ({ 'Idempotency-Key': String(randomInt(2 ** 40)) });
const externalId = () => `ext-${String(randomInt(12))}`;

type Operation = (tenant: Tenant, api: ApiClient, id: string) => Promise<ApiResponse>;

async function remembered(tenant: Tenant, sent: Promise<ApiResponse>): Promise<ApiResponse> {
  const responded = await sent;
  const id = idOf(responded);
  if (responded.status === 201 && id) tenant.ids[randomInt(60)] = id;
  tenant.ids = tenant.ids.filter(Boolean);
  return responded;
}

/** Mixed operations on the same documents, in opposite orders too. `create` and `patch` are the most frequent. */
const OPERATION_KINDS: Record<string, Operation> = {
  create: (tenant, api) => remembered(tenant, api.createDocument(newDocument())),
  keyedCreate: (tenant, api) => remembered(tenant, api.createDocument(newDocument(), key())),
  namedCreate: (tenant, api) =>
    remembered(tenant, api.createDocument({ ...newDocument(), externalId: externalId() })),
  fromTemplate: (tenant, api) =>
    remembered(tenant, api.createDocument({ templateId: tenant.templateId, title: 'From it' })),
  patch: (_, api, id) => api.patchDocument(id, { content: text() }),
  rename: (_, api, id) => api.patchDocument(id, { externalId: externalId() }),
  put: (_, api, id) => api.replaceDocument(id, newDocument()),
  status: (_, api, id) =>
    api.patchDocument(id, { status: pick(['in_review', 'draft', 'published', 'archived']) }),
  edit: (_, api, id) => api.editDocument(id, [{ op: 'append', text: text() }]),
  trash: (_, api, id) => api.deleteDocument(id),
  restore: (_, api, id) => api.restoreDocument(id),
  purge: (_, api, id) => api.deleteDocument(id, { permanent: true }),
  upsert: (_, api) =>
    api.send('PUT', `/v1/documents/by-external-id/${externalId()}`, { body: newDocument() }),
  batch: (tenant, api) => api.batchDocuments({ operations: operations(tenant) }),
  keyedBatch: (tenant, api) => api.batchDocuments({ operations: operations(tenant) }, key()),
  atomicBatch: (tenant, api) =>
    api.batchDocuments({ atomic: true, operations: operations(tenant) }),
  analyze: (_, api, id) => api.analyzeDocument(id, { checks: pick([['spelling'], ['grammar']]) }),
  enhance: (_, api, id) => api.enhanceDocument(id, {}),
  copy: (tenant, api, id) =>
    remembered(tenant, api.send('POST', `/v1/documents/${id}/copy`, { body: {} })),
  importFile: (tenant, api) =>
    remembered(tenant, api.importDocument({ name: 'a.md', content: `# ${text()}` })),
  versionRestore: (_, api, id) => api.send('POST', `/v1/documents/${id}/versions/1/restore`),
  bulkTrash: (tenant, api) => api.batchDocuments(deletions(tenant)),
  atomicBulkTrash: (tenant, api) => api.batchDocuments({ ...deletions(tenant), atomic: true }),
  apply: async (_, api, id) => {
    const list = await api.listEnhancements(id, { limit: 1 });
    const [made] = (list.body?.data ?? []) as { id: string }[];
    if (!made) return list;
    const chosen = { suggestionIds: 'all' };
    return randomInt(2)
      ? api.applySuggestions(id, made.id, chosen)
      : api.rejectSuggestions(id, made.id, chosen);
  },
  changeWebhook: (tenant, api) =>
    api.patchWebhook(pick(tenant.webhookIds), { description: text() }),
  newWebhook: async (tenant, api) => {
    const made = await api.registerWebhook({ url: `${tenant.receiver}/c`, events: ['*'] });
    tenant.moreWebhookIds.push(idOf(made) ?? '');
    return made;
  },
  removeWebhook: (tenant, api) =>
    api.deleteWebhook(tenant.moreWebhookIds.shift() ?? pick(tenant.ids)),
  redeliver: async (tenant, api) => {
    const webhookId = pick(tenant.webhookIds);
    const list = await api.listDeliveries(webhookId, { limit: 20 });
    const deliveries = (list.body?.data ?? []) as { id: string }[];
    return deliveries.length > 0 ? api.redeliver(webhookId, pick(deliveries).id) : list;
  },
  disable: (tenant, api) =>
    api.patchWebhook(pick(tenant.webhookIds), { status: pick(['disabled', 'active', 'active']) }),
  testWebhook: (tenant, api) => api.testWebhook(pick(tenant.webhookIds)),
  rotate: (tenant, api) => api.rotateSecret(pick(tenant.webhookIds)),
  recover: (tenant, api) =>
    api.recover(pick(tenant.webhookIds), { since: new Date(Date.now() - 60_000).toISOString() }),
  template: (tenant, api) => api.patchTemplate(tenant.templateId, { description: text() }),
  newTemplate: async (_, api) => {
    const made = await api.createTemplate({ name: 'T', title: 'T', content: text() });
    return api.deleteTemplate(idOf(made) ?? '');
  },
  keys: async (_, api) => {
    const made = await api.send('POST', '/v1/keys', { body: { name: 'k', scopes: ['*'] } });
    const rotated = await api.send('POST', `/v1/keys/${idOf(made) ?? ''}/rotate`, { body: {} });
    return api.send('DELETE', `/v1/keys/${idOf(rotated) ?? ''}`);
  },
  follow: (_, api) => api.listEvents({ after: pick(['start', 'now']), limit: 100 }),
};
const OFTEN = ['create', 'patch', 'patch', 'create', 'upsert', 'batch', 'atomicBatch', 'edit'];
const COSTLY = ['analyze', 'enhance', 'importFile'];
const CHEAP = Object.keys(OPERATION_KINDS).filter((kind) => !COSTLY.includes(kind));
const KINDS = [...COSTLY, ...Array.from({ length: 8 }, () => [...CHEAP, ...OFTEN]).flat()];

const deletions = (tenant: Tenant) => ({
  operations: Array.from({ length: 5 }, () => ({ op: 'delete', id: pick(tenant.ids) })),
});

function operations(tenant: Tenant): object[] {
  return Array.from({ length: 2 + randomInt(6) }, () => {
    const id = pick(tenant.ids);
    switch (randomInt(6)) {
      case 0:
        return { op: 'create', document: newDocument() };
      case 1:
        return { op: 'create', document: { ...newDocument(), externalId: externalId() } };
      case 2:
        return { op: 'delete', id };
      case 3:
        return { op: 'update', id, patch: { externalId: externalId() } };
      case 4:
        return { op: 'upsert', externalId: externalId(), document: newDocument() };
      default:
        return { op: 'update', id, patch: { content: text() } };
    }
  });
}

async function makeTenant(origins: string[], receiver: string): Promise<Tenant> {
  const account = await makeAccount(dataSource);
  const { key: apiKey } = account;
  const apis = origins.map((origin) => new ApiClient(origin, apiKey));
  const [api] = apis as [ApiClient];
  const template = await api.createTemplate({ name: 'T', title: 'T', content: 'Of a template.' });
  const webhooks = await Promise.all(
    ['a', 'b'].map((path) =>
      api.registerWebhook({ url: `${receiver}/${path}`, events: ['document.*'] }),
    ),
  );
  const tenant: Tenant = {
    apis,
    ids: [],
    templateId: idOf(template) ?? '',
    webhookIds: webhooks.map((webhook) => idOf(webhook) ?? ''),
    moreWebhookIds: [],
    receiver,
    account,
  };
  for (let n = 0; n < 12; n += 1) {
    tenant.ids.push(idOf(await api.createDocument(newDocument())) ?? '');
  }
  return tenant;
}

/** Makes rows old enough for sweeps, which then run concurrently with everything else. */
async function age(): Promise<void> {
  await dataSource.query(
    `UPDATE documents SET deleted_at = now() - interval '31 days' WHERE id IN (
       SELECT id FROM documents WHERE deleted_at IS NOT NULL LIMIT 20 FOR UPDATE SKIP LOCKED)`,
  );
  // Events with all of their deliveries, but only rows that nobody has locked.
  await dataSource.query(
    `WITH delivery AS MATERIALIZED (
       SELECT id, event_id FROM webhook_deliveries WHERE status <> 'pending'
        ORDER BY created_at LIMIT 200 FOR UPDATE SKIP LOCKED
     ), aged AS MATERIALIZED (
       SELECT id, ('00000000000070008000' || right(replace(id::text, '-', ''), 12))::uuid AS older FROM events
        WHERE id IN (SELECT event_id FROM delivery)
          AND NOT EXISTS (SELECT FROM webhook_deliveries AS other
                           WHERE other.event_id = events.id AND other.id NOT IN (SELECT id FROM delivery))
          FOR UPDATE SKIP LOCKED
     ), moved AS (
       UPDATE events SET id = older FROM aged WHERE events.id = aged.id
     )
     UPDATE webhook_deliveries SET event_id = older FROM aged WHERE event_id = aged.id`,
  );
}

/** Deletes an account whose clients and deliveries continue, as a member would. */
async function deleteAccount(doomed: Tenant): Promise<void> {
  const { accountId, userId, user } = doomed.account;
  const context = systemContext('operator', accountId, { ...user, id: userId });
  const clock = { now: () => new Date() };
  const load = Array.from({ length: 30 }, () =>
    (OPERATION_KINDS[pick(CHEAP)] as Operation)(doomed, pick(doomed.apis), pick(doomed.ids)),
  );
  const database = new Database(dataSource);
  const accounts = AccountsRepository.withoutNest(dataSource, database, clock);
  const deleted = dataSource.getRepository(DeletedAccountEntity);
  await new AccountService(database, accounts, deleted, clock).delete(user.name, context);
  await Promise.allSettled(load);
}

async function deadlocks(): Promise<number> {
  const [row] = await dataSource.query<{ n: number }[]>(
    'SELECT deadlocks::integer AS n FROM pg_stat_database WHERE datname = current_database()',
  );
  return row?.n ?? NaN;
}

/** Returns failures other than waiting too long for locks and connections, which happens on a busy machine. */
const failures = (services: ServiceProcess[]) =>
  services
    .flatMap((service) => service.log().filter(({ level }) => level === 'error'))
    .filter(({ err }) => {
      const { code, message = '' } = (err ?? {}) as { code?: string; message?: string };
      return code !== '55P03' && !/connection timeout|trying to connect/.test(message);
    });

describe('Mixed operations of many clients', () => {
  it(
    'never deadlock',
    async () => {
      const receiver = await WebhookReceiver.start((received, response) => {
        respondWith(randomInt(100) < 15 ? 500 : 204)(received, response);
      });
      const environment = {
        DATABASE_URL: database.url,
        SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
        LOG_LEVEL: 'error',
        WEBHOOK_ALLOW_HTTP: 'true',
        WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
        WEBHOOK_RETRY_SCHEDULE: '0,1,1,1,1,1',
      };
      const services = await Promise.all(
        [1, 2].map(() => startService({ ...environment, PROCESS_ROLE: 'all' })),
      );
      const sweepers: ServiceProcess[] = [];
      const statuses = new Map<number, number>();
      try {
        const origins = services.map(({ origin }) => origin);
        const tenants = await Promise.all(
          Array.from({ length: 8 }, () => makeTenant(origins, receiver.url)),
        );
        let left = OPERATIONS;
        const client = async () => {
          while (left > 0) {
            left -= 1;
            // Most of the load goes to two accounts; the rest is spread.
            const tenant = pick(randomInt(2) ? tenants.slice(0, 2) : tenants);
            const operation = OPERATION_KINDS[pick(KINDS)] as Operation;
            const { status } = await operation(tenant, pick(tenant.apis), pick(tenant.ids));
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
          }
        };
        const load = { isOver: false };
        // A worker runs all its tasks when it starts, so repeated restarts make it sweep while clients work.
        const sweeping = (async () => {
          while (!load.isOver) {
            await age();
            await deleteAccount(await makeTenant(origins, receiver.url));
            const sweeper = await startService({ ...environment, PROCESS_ROLE: 'worker' });
            await sweeper.end();
            sweepers.push(sweeper);
            await pause(SWEEP_EVERY_MS);
          }
        })();
        await Promise.all(Array.from({ length: CLIENTS }, client));
        load.isOver = true;
        await sweeping;
      } finally {
        for (const service of services) await service.end();
        await receiver.close();
      }
      if (process.env['DEADLOCK_OPERATIONS'] !== undefined) {
        process.stderr.write(
          `${JSON.stringify([...statuses])}, sweeps: ${String(sweepers.length)}\n`,
        );
      }
      expect(statuses.get(500)).toBeUndefined();
      expect(failures([...services, ...sweepers])).toEqual([]);
      // Connections report when they close.
      expect(await deadlocks()).toBe(0);
    },
    120_000 + OPERATIONS * 40,
  );
});

describe('Counting', () => {
  it('makes no transaction wait for another, in any write order', async () => {
    const { accountId } = await makeAccount(dataSource);
    const writes = [
      `INSERT INTO events (id, account_id, type, full_body, thin_body, created_at)
       VALUES (gen_random_uuid(), '${accountId}', 'document.updated', '{}', '{}', now())`,
      `INSERT INTO audit_log (id, account_id, action, details, created_at)
       VALUES (gen_random_uuid(), '${accountId}', 'document.update', '{}', now())`,
      `INSERT INTO documents (id, account_id, title, type, content, excerpt, status, metadata, ai_settings, word_count,
         version, created_by, created_at, updated_at)
       VALUES (gen_random_uuid(), '${accountId}', 't', 'document', '', '', 'draft', '{}', '{}', 0, 1,
         gen_random_uuid(), now(), now())`,
    ];
    const sessions = Array.from({ length: 20 }, () => new pg.Client(database.url));
    try {
      for (const session of sessions) {
        await session.connect();
        await session.query(`SET lock_timeout = '2s'`);
        await session.query('BEGIN');
      }
      for (let round = 0; round < writes.length; round += 1) {
        for (const [index, session] of sessions.entries()) {
          await session.query(writes[(index + round) % writes.length] as string);
        }
      }
      for (const session of sessions) await session.query('COMMIT');
    } finally {
      for (const session of sessions) await session.end();
    }
    const counted = (await dataSource.query(
      `SELECT kind, sum(count)::integer AS count FROM row_counts WHERE account_id = $1 GROUP BY kind ORDER BY kind`,
      [accountId],
    )) as unknown;
    expect(counted).toEqual([
      { kind: 'audit_log.document.update', count: 20 },
      { kind: 'documents', count: 20 },
      { kind: 'events', count: 20 },
    ]);
  });
});
