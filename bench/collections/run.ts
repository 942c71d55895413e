/**
 * Measures lists, filters, facets and searches of people who see only some of 500 collections with 100,000 documents. Prints
 * a table in Markdown. Run it with `npm run bench:collections`; `--plans` also prints a plan of each statement,
 * `--rounds 40` asks each query that often, `--postgres URL` uses another server and leaves the database there, and
 * `--database URL` measures such a database again. `--only TEXT` asks only queries with this in their name.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { TypeID } from 'typeid-js';
import { Access } from '../../src/features/auth/access/access.js';
import { rightsIn, ROOT, type TreeCollection } from '../../src/features/auth/access/rights.js';
import type { PersonPrincipal } from '../../src/features/auth/principal.js';
import { DocumentFacetsService } from '../../src/features/documents/lists/document-facets.service.js';
import { DocumentPagesService } from '../../src/features/documents/lists/document-pages.service.js';
import type { ListDocumentsDto } from '../../src/features/documents/dto/list-documents.dto.js';
import { HighlightsRepository } from '../../src/features/search/highlights.repository.js';
import { IndexLag } from '../../src/features/search/indexing/index-lag.js';
import { PostgresSearchRepository } from '../../src/features/search/postgres-search.repository.js';
import type { Database, Statement } from '../../src/platform/database/database.js';
import type { Metrics } from '../../src/platform/operation/metrics.js';
import { makeTenants, SERVICE_TENANTS, type TenantMaker } from '../ordinary/tenants.js';
import { VOCABULARY } from '../ordinary/texts.js';
import { startPostgres } from '../postgres.js';
import { NodeProcess, openService, PROJECT_FOLDER } from '../servers.js';
import { percentile } from '../statistics.js';

const DOCUMENTS = 100_000;
const COLLECTIONS = 500;
const DATABASE = 'bench_collections';
/** People by the number of collections that they see, in the order of their creation. `null` sees all, as an owner. */
const PEOPLE: Readonly<Record<string, number | null>> = {
  owner: null,
  '495 of 500': 495,
  '250 of 500': 250,
  '20 of 500': 20,
};
const TICKS_PER_SECOND = 100;

/** The UUID of the `n`th collection, and of a person. */
const uuid = (kind: number, n: number) =>
  `00000000-0000-4000-800${String(kind)}-${String(n).padStart(12, '0')}`;
const people = Object.entries(PEOPLE).map(([name, sees], n) => ({
  id: uuid(1, n + 1),
  name,
  sees,
}));

/** Fills the collections evenly; every 501st document is at the root. Every tenth collection is at the root, the others below it. */
const TENANTS: TenantMaker = {
  ...SERVICE_TENANTS,
  makeAccount: async (client, name) => {
    const made = await SERVICE_TENANTS.makeAccount(client, name);
    const collections = Array.from({ length: COLLECTIONS }, (_, n) => ({
      id: uuid(0, n + 1),
      parent_id: n % 10 === 0 ? null : uuid(0, n - (n % 10) + 1),
      access: {
        everyone: null,
        people: people
          .filter(({ sees }) => sees !== null && n < sees)
          .map(({ id }) => ({ userId: id, right: 'editor' })),
      },
    }));
    await client.query(
      `INSERT INTO collections (id, account_id, parent_id, name, access, version, created_at, updated_at)
       SELECT id, $1, parent_id, 'Collection', access, 1, now(), now()
         FROM jsonb_to_recordset($2::jsonb) AS made (id uuid, parent_id uuid, access jsonb)`,
      [made.owner.accountId, JSON.stringify(collections)],
    );
    return made;
  },
  insert: SERVICE_TENANTS.insert
    .replace('created_at, updated_at)', 'created_at, updated_at, collection_id)')
    .replace(
      'made.at, made.at',
      `made.at, made.at, CASE WHEN n % ${String(COLLECTIONS + 1)} = 0 THEN '${ROOT}'
         ELSE '00000000-0000-4000-8000-' || lpad((hashint4(n) & 2147483647) % ${String(COLLECTIONS)} + 1 || '', 12, '0') END::uuid`,
    ),
};

interface Query {
  name: string;
  query?: Partial<ListDocumentsDto>;
  counts?: boolean;
  /** The condition in SQL on `documents`, to count the matches by hand. Without it, the total is not checked. */
  condition?: string;
}

/** Maximum total of a search. */
const MAX_COUNTED = 10_000;
const contains = (...words: string[]) =>
  `EXISTS (SELECT FROM document_texts AS text WHERE text.document_id = documents.id
            AND vector @@ plainto_tsquery(configuration::regconfig, '${words.join(' ')}'))`;

const HOUR_MS = 60 * 60 * 1000;
const [frequent = '', second = ''] = VOCABULARY;
const common = VOCABULARY[60] ?? '';
const rare = VOCABULARY.at(-1) ?? '';
const since = new Date(Date.now() - 4 * HOUR_MS).toISOString();
const collection = [TypeID.fromUUID('col', uuid(0, 1)).toString()];
const QUERIES: readonly Query[] = [
  { name: 'list', condition: 'true' },
  { name: 'list, page 100', query: { page: 100 } },
  { name: 'list by title', query: { sort: 'title', order: 'asc' }, condition: 'true' },
  { name: 'list by updatedAt, page 10', query: { sort: 'updated_at', page: 10 } },
  { name: 'filter type', query: { type: ['report'] }, condition: "type = 'report'" },
  {
    name: 'filter type, by title',
    query: { type: ['report'], sort: 'title' },
    condition: "type = 'report'",
  },
  { name: 'filter status', query: { status: ['draft'] }, condition: "status = 'draft'" },
  { name: 'filter tag', query: { tag: [frequent] } },
  {
    name: 'filter department',
    query: { department: ['legal'] },
    condition: "metadata ->> 'department' = 'legal'",
  },
  {
    name: 'filter department and type',
    query: { department: ['legal'], type: ['report'] },
    condition: "metadata ->> 'department' = 'legal' AND type = 'report'",
  },
  { name: 'filter collection', query: { collection } },
  { name: 'filter createdAfter', query: { createdAfter: since } },
  { name: 'search, frequent word', query: { q: frequent }, condition: contains(frequent) },
  { name: 'search, frequent word, by time', query: { q: frequent, sort: 'created_at' } },
  {
    name: 'search, two words',
    query: { q: `${frequent} ${second}` },
    condition: contains(frequent, second),
  },
  { name: 'search, common word', query: { q: common }, condition: contains(common) },
  { name: 'search, rare word', query: { q: rare }, condition: contains(rare) },
  { name: 'search in type', query: { q: second, type: ['report'] } },
  { name: 'search in collection', query: { q: frequent, collection } },
  { name: 'facets', counts: true },
  { name: 'facets of type', query: { type: ['report'] }, counts: true },
  { name: 'facets of frequent word', query: { q: frequent }, counts: true },
  { name: 'trash', query: { deleted: 'true' } },
];

/** Runs statements with EXPLAIN ANALYZE, and adds up what the server reports. */
class ExplainingDatabase {
  serverMs = 0;
  plans: string[] = [];

  constructor(private readonly client: pg.Client) {}

  async read(statement: Statement, values: unknown[]): Promise<unknown[]> {
    const explain = 'EXPLAIN (ANALYZE, TIMING OFF, SUMMARY, SETTINGS)';
    const { rows } = await this.client.query<{ 'QUERY PLAN': string }>(
      `${explain} ${statement.text}`,
      values,
    );
    const lines = rows.map((row) => row['QUERY PLAN']);
    for (const line of lines) {
      const ms = /^(?:Planning|Execution) Time: ([\d.]+) ms$/.exec(line)?.[1];
      this.serverMs += Number(ms ?? 0);
    }
    this.plans.push(lines.join('\n'));
    const found = await this.client.query<object>(statement.text, values);
    return found.rows;
  }
}

function servicesOn(database: unknown) {
  const metrics = { gauge: () => undefined } as unknown as Metrics;
  const reads = database as Database;
  const search = new PostgresSearchRepository(
    reads,
    new HighlightsRepository(reads),
    new IndexLag(reads, metrics),
  );
  return {
    pages: new DocumentPagesService(reads, search),
    facets: new DocumentFacetsService(reads, search),
  };
}

async function ask(
  { pages, facets }: ReturnType<typeof servicesOn>,
  access: Access,
  { query = {}, counts = false }: Query,
): Promise<number | undefined> {
  const asked = {
    page: 1,
    limit: 20,
    order: 'desc',
    deleted: 'false',
    ...query,
  } as ListDocumentsDto;
  if (counts) {
    await facets.count(access, asked, { published: false });
    return undefined;
  }
  const { pagination } = await pages.read(access, asked, { published: false });
  return pagination.total;
}

/** CPU time of the server process of a connection, in ms. It depends less on what else the machine does. */
function processorMs(pid: number): number {
  const fields =
    readFileSync(`/proc/${String(pid)}/stat`, 'utf8')
      .split(') ')[1]
      ?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
}

function accessOf(tree: readonly TreeCollection[], accountId: string, n: number): Access {
  const person = people[n];
  const role = person?.sees === null ? 'owner' : 'member';
  const user = { id: person?.id ?? '', name: '', email: '' };
  const principal: PersonPrincipal = {
    ...{ kind: 'person', accountId, user, role, scopes: [], plan: 'enterprise' },
    ...{ customLimits: null, accessEpoch: '1' },
  };
  const visitor = { userId: user.id, role, collections: null } as const;
  return Access.ofPrincipal(principal, role === 'owner' ? null : rightsIn(tree, visitor));
}

interface Options {
  rounds: number;
  plans: boolean;
  only: string;
}

/** Counts the matches that a person sees by a scan, up to what searches count. */
async function countByHand(
  client: pg.Client,
  { rights }: Access,
  { query, condition = '' }: Query,
): Promise<number> {
  const { rows } = await client.query<{ n: string }>(
    `SELECT count(*) AS n FROM documents WHERE deleted_at IS NULL AND NOT collection_id = ANY ($1) AND ${condition}`,
    [rights?.hidden ?? []],
  );
  const count = Number(rows[0]?.n);
  return query?.q === undefined ? count : Math.min(count, MAX_COUNTED);
}

async function measure(url: string, { rounds, plans, only }: Options): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const explaining = new ExplainingDatabase(client);
  const plain = {
    read: async ({ name, text }: Statement, values: unknown[]) =>
      (await client.query<object>({ ...(name !== '' && { name }), text, values })).rows,
  };
  const [{ pid } = { pid: 0 }] = (
    await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  ).rows;
  const { rows: tree } = await client.query<TreeCollection & { accountId: string }>(
    `SELECT id, account_id AS "accountId", parent_id AS "parentId", access, created_by AS "createdBy" FROM collections`,
  );
  const accountId = tree[0]?.accountId ?? '';
  console.log('| Query | Person | Total | Server p50 / p99 | Client p50 / p99 | CPU of server |');
  console.log('| --- | --- | ---: | ---: | ---: | ---: |');
  for (const query of QUERIES.filter(({ name }) => name.includes(only))) {
    for (const [n, { name }] of people.entries()) {
      const access = accessOf(tree, accountId, n);
      const [server, ofClient]: number[][] = [[], []];
      const services = servicesOn(explaining);
      const services2 = servicesOn(plain);
      let total: number | undefined;
      for (let round = -1; round < rounds; round += 1) {
        explaining.serverMs = 0;
        explaining.plans = [];
        total = await ask(services, access, query);
        if (round >= 0) server?.push(explaining.serverMs);
      }
      if (query.condition !== undefined) {
        const expected = await countByHand(client, access, query);
        if (total !== expected)
          throw new Error(`${query.name}, ${name}: ${String(total)}, not ${String(expected)}`);
      }
      const cpu = processorMs(pid);
      for (let round = 0; round < rounds; round += 1) {
        const start = performance.now();
        await ask(services2, access, query);
        ofClient?.push(performance.now() - start);
      }
      const used = (processorMs(pid) - cpu) / rounds;
      const shown = [server, ofClient].map((values = []) => {
        const sorted = values.sort((one, other) => one - other);
        return [0.5, 0.99].map((share) => percentile(sorted, share).toFixed(1)).join(' / ');
      });
      console.log(`| ${[query.name, name, total ?? '–', ...shown, used.toFixed(1)].join(' | ')} |`);
      if (plans) console.log(explaining.plans.join('\n\n'));
    }
  }
  await client.end();
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      rounds: { type: 'string', default: '40' },
      plans: { type: 'boolean', default: false },
      postgres: { type: 'string' },
      database: { type: 'string' },
      only: { type: 'string', default: '' },
    },
  });
  const options = { ...values, rounds: Number(values.rounds) };
  if (values.database !== undefined) {
    await measure(values.database, options);
    return;
  }
  const parent = path.join(PROJECT_FOLDER, '.tmp');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(path.join(parent, 'bench-collections-'));
  const postgres = await startPostgres(path.join(folder, 'database'), values.postgres);
  try {
    const variant = { label: 'service', dist: path.join(PROJECT_FOLDER, 'dist'), env: {} };
    const service = await openService(postgres, variant, DATABASE, folder);
    await makeTenants(service.databaseUrl, TENANTS, { accounts: 1, documents: DOCUMENTS, seed: 1 });
    const worker = await service.start('worker');
    await service.untilIndexed();
    await worker.stop();
    await measure(service.databaseUrl, options);
    console.log(`\nPostgreSQL ${postgres.version}, load ${String(os.loadavg()[0])}.`);
  } finally {
    await NodeProcess.stopAll();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
