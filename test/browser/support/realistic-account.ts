import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  demoDocuments,
  type DemoDocument,
} from '../../../src/entrypoints/cli/demo/demo-documents.js';
import { bucketOf, LATENCY_BUCKETS } from '../../../src/features/usage/totals/latency.js';
import { decodeId } from '../../../src/platform/basics/identifiers/identifiers.js';
import { eventually } from '../../support/eventually.js';
import type { DashboardUnderTest, Visitor } from './dashboard.js';

/** Documents at the top of the list: long titles, other scripts, many tags, no tags. */
const FIRST_DOCUMENTS = [
  {
    title: 'Q3 board report: revenue, churn and the plan for the northern ports',
    type: 'report',
    tags: ['board', 'finance', 'quarterly', 'confidential', 'ports'],
  },
  {
    title:
      'Operating manual for harbor cranes of the series HK-200 to HK-480, including maintenance intervals, spare parts, lubrication plans and the checklist for the annual inspection',
    type: 'technical',
    tags: ['manual', 'cranes'],
  },
  { title: 'دليل تشغيل الميناء للموظفين الجدد', type: 'document', tags: ['onboarding', 'دليل'] },
  { title: 'Interview notes: Layla Haddad, shift lead', type: 'document', tags: [] },
  { title: 'Why we moved our berth planning to one calendar', type: 'article', tags: ['blog'] },
  {
    title: 'Incident 2026-114: power loss at quay 7',
    type: 'technical',
    tags: ['incident', 'postmortem'],
  },
  {
    title: 'Donaudampfschifffahrtsgesellschaftskapitänspatent',
    type: 'research',
    tags: ['history'],
  },
] as const;

/** Further down, because not every computer has a font for it. */
const JAPANESE = {
  title: '四半期報告書：港湾物流と倉庫の自動化について',
  type: 'report',
  tags: ['日本', 'quarterly'],
} as const;

const CONTENT = `The northern ports grew faster than planned. This report explains **why**, and what we propose.

## Summary

- Revenue is 4.2 million, 12 % above plan.
- Churn fell to 1.8 %.
- Two berths were closed for 11 days; see the [incident report](https://example.com/incident).

> The most important decision is whether to extend quay 7 before the winter.

| Port | Calls | Change |
|---|---|---|
| Oslo | 412 | +9 % |
| Tromsø | 268 | +14 % |
| Hammerfest | 97 | −3 % |

## Next steps

- [x] Agree on the budget
- [ ] Choose a contractor
- [ ] Inform the harbor council
`;

const TEMPLATES = [
  {
    name: 'Incident report',
    description: 'What happened, why, and what changes',
    content: '# {{title}}\n\nImpact: {{impact}}',
    variables: [{ name: 'title' }, { name: 'impact' }],
  },
  {
    name: 'Weekly update',
    description: 'For the harbor council',
    content: 'Dear {{name}},',
    variables: [{ name: 'name' }],
  },
];

const COLLEAGUES = [
  ['Jonas Berg', 'admin'],
  ['Mei Tanaka', 'member'],
  ['Layla Haddad', 'member'],
  ['Sven Dahl', 'viewer'],
] as const;

/** With the status that the receiver answers with, and the URL that is shown. */
const WEBHOOKS = [
  [200, 'Search index', ['document.*'], 'https://search.northwind.example/ingest/documents'],
  [
    200,
    null,
    ['document.published'],
    'https://hooks.eu-north-1.partner-integrations.example.com/v2/tenants/northwind/channels/documents/incoming',
  ],
  [
    503,
    'CRM sync',
    ['document.created', 'document.updated', 'document.deleted'],
    'https://crm.northwind.example/api/hooks/documents',
  ],
  [410, 'Old intranet', ['*'], 'https://intranet.northwind.example/hooks'],
] as const;

/** With the days until they expire. */
const KEYS = [
  [
    'Production backend',
    ['documents:read', 'documents:write', 'templates:read', 'usage:read'],
    900,
  ],
  ['Website publishing', ['documents:read', 'webhooks:read', 'events:read'], 9],
  ['Data warehouse export', ['documents:read'], 200],
  ['CI pipeline', ['*'], 400],
] as const;

export interface RealisticAccount extends Visitor {
  origin: string;
  /** Ids in order of creation. */
  documents: readonly string[];
  webhooks: readonly string[];
  templates: readonly string[];
  keys: readonly string[];
  /** A delivery that failed. */
  delivery: string;
  /** A request that was refused. */
  request: string;
  /** Stops the receivers of the webhooks. */
  close: () => void;
}

interface Row {
  id: string;
  [field: string]: unknown;
}

interface Owner {
  dashboard: DashboardUnderTest;
  /** UUID of the account. */
  accountUuid: string;
  /** Sends a request of the owner to the dashboard's API of the account. */
  ask: <Data>(method: string, path: string, data?: unknown) => Promise<Data>;
  make: (path: string, data?: unknown) => Promise<Row>;
}

/**
 * Creates an account as a company has it after a month: hundreds of documents in several scripts, colleagues, webhooks that
 * work, fail and are disabled, keys, requests and totals of 30 days. Times and totals are set by SQL.
 */
export async function realisticAccount(dashboard: DashboardUnderTest): Promise<RealisticAccount> {
  const { origin, dataSource } = dashboard.app;
  const visitor = await dashboard.visitor('Ada Lindqvist', 'enterprise');
  const owner = ownerOf(dashboard, visitor);
  const { accountUuid, ask, make } = owner;
  await ask('PATCH', '', { name: 'Northwind Harbors' });
  await addColleagues(owner);
  const templates = [];
  for (const template of TEMPLATES) templates.push(await make('templates', template));
  const documents = await writeDocuments(owner);
  const { webhooks, delivery, receivers } = await createWebhooks(owner, visitor, documents);
  await dataSource.query(
    `UPDATE webhooks SET failing_since = now() - interval '9 hours' WHERE account_id = $1 AND failing_since IS NOT NULL`,
    [accountUuid],
  );
  const keys = [];
  for (const [name, scopes, days] of KEYS) {
    const expiresAt = new Date(Date.now() + days * 86_400_000).toISOString();
    keys.push(await make('keys', { name, scopes, expiresAt }));
  }
  const request = await sendRequests(origin, String(keys.at(-1)?.['key']), documents);
  for (const key of keys) await sendRequests(origin, String(key['key']), []);
  await fillTotals(owner, keys, webhooks);
  await make('account/export');
  await make(`documents/${documents[0] ?? ''}/analyze`);
  await dataSource.query(`UPDATE accounts SET plan = 'pro' WHERE id = $1`, [accountUuid]);
  const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id);
  return {
    ...visitor,
    origin,
    documents,
    webhooks: idsOf(webhooks),
    templates: idsOf(templates),
    keys: idsOf(keys),
    delivery,
    request,
    close: () => {
      for (const receiver of receivers) receiver.close();
    },
  };
}

function ownerOf(dashboard: DashboardUnderTest, { accountId, context }: Visitor): Owner {
  const { origin } = dashboard.app;
  const headers = { Origin: origin, 'X-Dashboard-Request': '1' };
  const ask = async <Data>(method: string, path: string, data?: unknown): Promise<Data> => {
    const url = `${origin}/dashboard/api/accounts/${accountId}${path}`;
    const reply = await context.request.fetch(url, {
      method,
      headers,
      ...(data !== undefined && { data }),
    });
    if (!reply.ok()) throw new Error(`${method} ${path}: ${await reply.text()}`);
    return ((await reply.json()) as { data: Data }).data;
  };
  return {
    dashboard,
    accountUuid: uuidOf('account', accountId),
    ask,
    make: (path, data = {}) => ask<Row>('POST', `/v1/${path}`, data),
  };
}

function uuidOf(kind: 'account' | 'key' | 'webhook', id: string): string {
  return decodeId(kind, id) ?? '';
}

async function addColleagues({ dashboard, accountUuid, ask }: Owner): Promise<void> {
  for (const [name, role] of COLLEAGUES) {
    const colleague = await dashboard.visitor(name);
    await dashboard.app.dataSource.query(
      `INSERT INTO members (account_id, user_id, role, created_at)
       SELECT $1, user_id, $3, now() - interval '20 days' FROM members WHERE account_id = $2`,
      [accountUuid, decodeId('account', colleague.accountId), role],
    );
    await colleague.context.close();
  }
  await ask('POST', '/invitations', { email: 'noor.elmasri@northwind.example', role: 'member' });
}

const DEMO_DOCUMENTS = 240;
const BATCH = 50;
const AFTER_JAPANESE = 10;

/** Returns the ids of the first documents. */
async function writeDocuments(owner: Owner): Promise<string[]> {
  const { dashboard, accountUuid, ask, make } = owner;
  const write = async ({
    title,
    type,
    tags,
  }: (typeof FIRST_DOCUMENTS)[number] | typeof JAPANESE) => {
    const metadata = { tags, department: 'Operations', project: 'North' };
    return (await make('documents', { title, type, content: CONTENT, metadata })).id;
  };
  const demo = demoDocuments(DEMO_DOCUMENTS);
  const before = demo.length - AFTER_JAPANESE;
  for (let at = 0; at < before; at += BATCH) {
    await writeMany(owner, demo.slice(at, Math.min(at + BATCH, before)));
  }
  await write(JAPANESE);
  await writeMany(owner, demo.slice(before));
  const ids: string[] = [];
  for (const document of FIRST_DOCUMENTS.toReversed()) ids.unshift(await write(document));
  for (const [index, status] of ['in_review', 'published'].entries()) {
    await ask('PATCH', `/v1/documents/${ids[index] ?? ''}`, { status });
  }
  await dashboard.app.dataSource.query(
    `WITH placed AS (SELECT id, row_number() OVER (ORDER BY created_at DESC, id DESC) AS place
                       FROM documents WHERE account_id = $1)
     UPDATE documents SET updated_at = now() - interval '7 minutes' * placed.place * placed.place,
                          created_at = now() - interval '7 minutes' * placed.place * placed.place - interval '1 hour'
       FROM placed WHERE documents.id = placed.id AND account_id = $1`,
    [accountUuid],
  );
  return ids;
}

async function writeMany({ ask }: Owner, documents: readonly DemoDocument[]): Promise<void> {
  const batch = async (operations: unknown[]) =>
    (await ask<{ results: { id: string }[] }>('POST', '/v1/documents/batch', { operations }))
      .results;
  const made = await batch(
    documents.map(({ title, type, content, metadata }) => ({
      op: 'create',
      document: { title, type, content, metadata },
    })),
  );
  const moves = documents.flatMap(({ statuses }, index) =>
    statuses.map((status) => ({ op: 'update', id: made[index]?.id, patch: { status } })),
  );
  for (let at = 0; at < moves.length; at += BATCH) await batch(moves.slice(at, at + BATCH));
}

/** Starts a receiver that responses with this status. */
async function startReceiver(status: number): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(status === 200 ? '{"received":true}' : '{"error":"upstream unavailable"}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${String(port)}/hooks`, server };
}

/** Creates webhooks with receivers on this computer, whose URLs the pages show as those of {@link WEBHOOKS}. */
async function createWebhooks(
  { ask, make }: Owner,
  { context }: Visitor,
  documents: readonly string[],
): Promise<{ webhooks: Row[]; delivery: string; receivers: Server[] }> {
  const receivers: Server[] = [];
  const webhooks: Row[] = [];
  const shownUrls: (readonly [real: string, shown: string])[] = [];
  for (const [status, description, events, shown] of WEBHOOKS) {
    const { url, server } = await startReceiver(status);
    receivers.push(server);
    shownUrls.push([url, shown]);
    const named = description === null ? {} : { description };
    webhooks.push(await make('webhooks', { url, events, ...named }));
  }
  for (const { id } of webhooks) await make(`webhooks/${id}/test`);
  await ask('PATCH', `/v1/documents/${documents[3] ?? ''}`, { metadata: { reviewed: true } });
  const deliveriesOf = (id: string) => ask<Row[]>('GET', `/v1/webhooks/${id}/deliveries`);
  for (const { id } of webhooks) {
    await eventually(
      () => deliveriesOf(id),
      // A receiver that is gone cancels what waits for it.
      (rows) =>
        rows.every(({ attemptCount, status }) => attemptCount !== 0 || status === 'cancelled'),
    );
  }
  const [delivery] = await deliveriesOf(webhooks[2]?.id ?? '');
  await context.route(/\/v1\/webhooks/, async (route) => {
    const response = await route.fetch();
    let body = await response.text();
    for (const [real, shown] of shownUrls) body = body.replaceAll(real, shown);
    await route.fulfill({ response, body });
  });
  return { webhooks, delivery: delivery?.id ?? '', receivers };
}

/** Sends requests with a key, and returns the id of one that was refused. */
async function sendRequests(
  origin: string,
  key: string,
  documents: readonly string[],
): Promise<string> {
  const send = async (method: string, path: string, body?: unknown) => {
    const reply = await fetch(`${origin}/v1/${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return ((await reply.json()) as { meta: { requestId: string } }).meta.requestId;
  };
  for (const id of documents) {
    await send('GET', 'documents?status=published&limit=50');
    await send('GET', `documents/${id}`);
  }
  await send('GET', 'documents/doc_00000000000000000000000000');
  return send('POST', 'documents', { title: 7, typ: 'report' });
}

interface Total {
  metric: 'requests' | 'deliveries';
  route: string;
  source: string | undefined;
  outcome: string;
  count: number;
  /** Latency of most, in ms. */
  ms: number;
}

const DAYS = 30;
/** The webhook with failures has had them for so many hours. */
const FAILING_HOURS = 10;

/** Adds requests and delivery attempts of the last 30 days, more by day than by night. */
async function fillTotals(
  { dashboard, accountUuid }: Owner,
  keys: readonly Row[],
  webhooks: readonly Row[],
): Promise<void> {
  const sources = {
    keys: keys.map(({ id }) => uuidOf('key', id)),
    webhooks: webhooks.map(({ id }) => uuidOf('webhook', id)),
  };
  const hour = Math.floor(Date.now() / 3_600_000);
  const random = sequence(7);
  const rows = Array.from({ length: DAYS * 24 }, (_, ago) => {
    const day = Math.sin((((hour - ago) % 24) / 24) * Math.PI) ** 2;
    const load = Math.round(40 + 420 * day * (0.8 + random() * 0.4));
    const totals = [
      ...requestsOf(load, ago, sources.keys, random),
      ...attemptsOf(load, ago, sources.webhooks),
    ];
    return totals
      .filter(({ count }) => count > 0)
      .map((total) => ({ ...total, at: (hour - ago) * 3_600_000, latency: latencyOf(total) }));
  });
  await dashboard.app.dataSource.query(
    `INSERT INTO usage_hours (account_id, metric, at, route, source_id, outcome, count, latency)
     SELECT $1, metric, to_timestamp(at / 1000.0), route, source, outcome, count,
            ARRAY(SELECT value::bigint FROM json_array_elements_text(latency) AS value)
       FROM json_to_recordset($2::json) AS item
            (metric text, at bigint, route text, source uuid, outcome text, count bigint, latency json)
     ON CONFLICT DO NOTHING`,
    [accountUuid, JSON.stringify(rows.flat())],
  );
}

function requestsOf(
  load: number,
  ago: number,
  keys: readonly string[],
  random: () => number,
): Total[] {
  const total = (
    route: string,
    source: string | undefined,
    outcome: string,
    count: number,
    ms: number,
  ) => ({ metric: 'requests', route, source, outcome, count: Math.round(count), ms }) as const;
  const [read, write] = ['GET /v1/documents', 'POST /v1/documents'];
  const shares = [0.6, 0.25, 0.1, 0.05];
  return [
    ...keys.map((key, index) =>
      total(read, key, '2xx', load * (shares[index] ?? 0), 12 + random() * 30),
    ),
    total(read, keys[0], '3xx', load * 0.08, 4),
    total(write, keys[1], '4xx', load * 0.04 * random(), 9),
    total(write, keys[1], '429', ago % 17 === 3 ? 24 : 0, 2),
    total(write, keys[0], '5xx', ago % 29 === 4 ? 5 : 0, 900),
  ];
}

function attemptsOf(load: number, ago: number, webhooks: readonly string[]): Total[] {
  const total = (source: string | undefined, outcome: string, count: number, ms: number) =>
    ({ metric: 'deliveries', route: '', source, outcome, count: Math.round(count), ms }) as const;
  const [index, partner, crm] = webhooks;
  const isFailing = ago < FAILING_HOURS;
  return [
    total(index, 'succeeded', load * 0.2, 80),
    total(index, 'retried', ago % 11 === 5 ? 3 : 0, 400),
    total(partner, 'succeeded', load * 0.05, 120),
    total(crm, 'succeeded', isFailing ? 0 : load * 0.08, 160),
    total(crm, 'retried', isFailing ? 6 : 0, 200),
    total(crm, 'failed', isFailing && ago % 3 === 0 ? 2 : 0, 200),
  ];
}

/** Most of them take `ms`, some six times as long. */
function latencyOf({ count, ms }: Total): number[] {
  const latency = Array.from({ length: LATENCY_BUCKETS }, () => 0);
  const most = Math.ceil(count * 0.92);
  latency[bucketOf(ms)] = most;
  latency[bucketOf(ms * 6)] = (latency[bucketOf(ms * 6)] ?? 0) + count - most;
  return latency;
}

/** Returns the same numbers from 0 to 1 each time. */
function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 16_807) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
