import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/pools.js';
import { SCHEMA } from '../../src/tables.js';
import { makeAccount } from '../support/accounts.js';
import { ApiClient } from '../support/api-client.js';
import { eventually } from '../support/eventually.js';
import { endOf } from '../support/jobs.js';
import { describeWithPgBouncer, PgBouncer } from '../support/pgbouncer.js';
import { runOn } from '../support/postgres.js';
import { RestartablePostgres } from '../support/restartable-postgres-process.js';
import { spawnService, startService, type ServiceProcess } from '../support/service-process.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { runCliProcess } from '../cli/run-cli.js';

jest.setTimeout(300_000);

const SECRETS_KEY = randomBytes(32).toString('base64');
const ROLE = 'document_service';

describeWithPgBouncer('Behind PgBouncer in transaction mode, the service', () => {
  let postgres: RestartablePostgres;
  let pooler: PgBouncer;
  const poolers: PgBouncer[] = [];
  const services: ServiceProcess[] = [];
  beforeAll(async () => {
    postgres = await RestartablePostgres.prepare();
    await postgres.start();
    pooler = await startPooler();
  });
  afterAll(async () => {
    await Promise.all(services.map((service) => service.end('SIGKILL')));
    await Promise.all(poolers.map((one) => one.stop()));
    await postgres.remove();
  });

  async function startPooler(settings?: Record<string, string>): Promise<PgBouncer> {
    const started = await PgBouncer.start(postgres.url, settings);
    poolers.push(started);
    return started;
  }

  const environment = (url: string) => ({
    DATABASE_URL: url,
    DATABASE_DIRECT_URL: postgres.url,
    SECRETS_KEY,
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
  });

  async function failedStart(variables: Record<string, string>): Promise<string> {
    const service = spawnService({ SECRETS_KEY, ...variables });
    await once(service.child, 'close');
    expect(service.child.exitCode).toBe(1);
    expect(service.output()).not.toMatch(/\n\s+at |node_modules/);
    return service.output();
  }

  const needsDirectUrl = (output: string) => {
    expect(output).toMatch(
      /^The connection to the database leads to a pooler such as PgBouncer \(.*\)\. Only DATABASE_URL may/m,
    );
  };

  it('Behind PgBouncer in transaction mode, the service starts only with DATABASE_DIRECT_URL, also if the pooler ignores startup parameters and the role has the limits', async () => {
    needsDirectUrl(await failedStart({ DATABASE_URL: pooler.url }));
    const { exitCode, stderr } = await runCliProcess(
      { DATABASE_URL: pooler.url, SECRETS_KEY },
      'migrate',
    );
    expect(exitCode).toBe(1);
    needsDirectUrl(stderr);
    const ignoring = await startPooler({
      ignore_startup_parameters: 'statement_timeout, lock_timeout, options',
    });
    needsDirectUrl(await failedStart({ DATABASE_URL: ignoring.url }));
    needsDirectUrl(
      await failedStart({ DATABASE_URL: postgres.url, DATABASE_DIRECT_URL: ignoring.url }),
    );
    for (const one of [`lock_timeout = '3s'`, `statement_timeout = '10s'`])
      await runOn(postgres.url, `ALTER ROLE ${ROLE} SET ${one}`);
    await ignoring.restart();
    needsDirectUrl(await failedStart({ DATABASE_URL: ignoring.url }));
    await runOn(postgres.url, `ALTER ROLE ${ROLE} RESET ALL`);
  });

  it('Behind PgBouncer in transaction mode, the service does not start on a pooler without prepared statements or transactions, and says which one it needs', async () => {
    for (const [name, value] of [
      ['max_prepared_statements', '0'],
      ['pool_mode', 'statement'],
    ] as const) {
      const unfit = await startPooler({ [name]: value });
      expect(await failedStart(environment(unfit.url))).toMatch(
        /^DATABASE_URL leads to a pooler that cannot serve requests \(.*\)\. Use PgBouncer 1\.21 or later with/m,
      );
    }
  });

  it('Behind PgBouncer in transaction mode, the service does not start if the two addresses lead to different databases', async () => {
    await runOn(postgres.url, 'CREATE DATABASE another');
    const url = new URL(pooler.url);
    url.pathname = '/another';
    expect(await failedStart(environment(url.href))).toMatch(
      /^DATABASE_URL leads to another database than migrations do/m,
    );
  });

  it('Behind PgBouncer in transaction mode, the service does not start with a role without the time limits, and prints the statements that give them', async () => {
    await runOn(
      postgres.url,
      `ALTER ROLE ${ROLE} IN DATABASE document_service SET lock_timeout = '5s'`,
    );
    await pooler.restart();
    const output = await failedStart(environment(pooler.url));
    expect(output).toContain(`ALTER ROLE ${ROLE} SET statement_timeout = '10s';`);
    const statements = output.match(/ALTER ROLE [^;]*;/g) ?? [];
    expect(statements).toHaveLength(2);
    for (const statement of statements) await runOn(postgres.url, statement);
    await pooler.restart();
    const service = await startService({ ...environment(pooler.url), PROCESS_ROLE: 'api' });
    expect(await service.end()).toBe(0);
  });

  it('migrates once, cuts off slow reads and lock waits, and delivers and runs jobs with four processes', async () => {
    const name = `four_${randomBytes(4).toString('hex')}`;
    await runOn(postgres.url, `CREATE DATABASE ${name}`);
    const at = (url: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href;
    const variables = { ...environment(at(pooler.url)), DATABASE_DIRECT_URL: at(postgres.url) };
    for (const one of [`lock_timeout = '3s'`, `statement_timeout = '10s'`])
      await runOn(postgres.url, `ALTER ROLE ${ROLE} SET ${one}`);
    await pooler.restart();
    const started = await Promise.all(
      ['api', 'api', 'worker', 'worker'].map((PROCESS_ROLE) =>
        startService({ ...variables, PROCESS_ROLE }),
      ),
    );
    services.push(...started);
    const options = dataSourceOptions(at(postgres.url), 2, SCHEMA);
    const dataSource = await new DataSource(options).initialize();
    const [migrations] = await dataSource.query<{ all: string; distinct: string }[]>(
      'SELECT count(*) AS all, count(DISTINCT name) AS distinct FROM migrations',
    );
    expect(migrations?.all).toBe(migrations?.distinct);
    expect(Number(migrations?.all)).toBe(SCHEMA.migrations.length);

    const account = await makeAccount(dataSource);
    const apis = started.slice(0, 2).map(({ origin }) => new ApiClient(origin, account.key));
    const [first, second] = apis as [ApiClient, ApiClient];
    const receiver = await WebhookReceiver.start();
    const hook = { url: receiver.url, events: ['document.*'] };
    expect((await first.registerWebhook(hook)).status).toBe(201);
    // More statements at once than the pooler has connections.
    const created = await Promise.all(
      Array.from({ length: 100 }, async (_, n) => {
        const api = apis[n % 2] as ApiClient;
        const made = await api.createDocument({ title: `Number ${String(n)}`, content: 'lorem' });
        expect(made.status).toBe(201);
        const { id } = made.body.data as { id: string };
        const other = apis[(n + 1) % 2] as ApiClient;
        expect((await other.patchDocument(id, { content: 'ipsum' })).status).toBe(200);
        expect((await other.listDocuments({ limit: 1 })).status).toBe(200);
        return id;
      }),
    );
    expect((await second.listDocuments()).body.meta.pagination.total).toBe(100);
    await receiver.until(() => receiver.received.length >= 200);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(200);
    const exported = await endOf(first, await first.exportAccount());
    expect(exported).toMatchObject({ status: 'succeeded' });
    const archive = (await first.readJobResult(exported.id)).text;
    const empty = new ApiClient(started[1]?.origin ?? '', (await makeAccount(dataSource)).key);
    expect(await endOf(empty, await empty.importAccount(archive))).toMatchObject({
      status: 'succeeded',
    });

    // Workers listen without the pooler, each to both channels.
    const [{ listening } = { listening: 0 }] = await dataSource.query<{ listening: number }[]>(
      `SELECT count(*)::integer AS listening FROM pg_stat_activity
        WHERE datname = current_database() AND application_name IN ('document-service jobs', 'document-service deliveries')`,
    );
    expect(listening).toBe(4);

    const [id = ''] = created;
    const locker = new pg.Client(at(postgres.url));
    await locker.connect();
    await locker.query('BEGIN');
    await locker.query('SELECT FROM documents FOR UPDATE');
    // The lock is never released while it waits: without the limit of the role, it would wait for ever.
    const waited = await second.patchDocument(id, { title: 'Another' });
    expect([waited.status, waited.body.error.code]).toEqual([503, 'INTERNAL_ERROR']);
    await locker.end();

    // Each row that a statement reads takes 100 ms: a list of 20 takes 2 s, a document 0.1 s.
    await dataSource.query(`
      CREATE FUNCTION slow() RETURNS boolean LANGUAGE sql AS 'SELECT pg_sleep(0.1) IS NOT NULL';
      CREATE POLICY slow ON documents USING (slow());
      ALTER TABLE documents ENABLE ROW LEVEL SECURITY;
      ALTER TABLE documents FORCE ROW LEVEL SECURITY`);
    const cut = await first.listDocuments({ limit: 50 });
    expect([cut.status, cut.body.error.message]).toEqual([
      503,
      expect.stringContaining('exceeded the time limit of the database'),
    ]);
    expect((await first.readDocument(id)).status).toBe(200);
    await dataSource.destroy();
    for (const service of started) expect(await service.end()).toBe(0);
    expect(receiver.received.length).toBeGreaterThanOrEqual(200);
    await receiver.close();
  });

  it('Behind PgBouncer in transaction mode, the service answers 503 while PostgreSQL is down behind the pooler, and 201 afterwards', async () => {
    const service = await startService({ ...environment(pooler.url), PROCESS_ROLE: 'api' });
    services.push(service);
    const dataSource = await new DataSource(
      dataSourceOptions(postgres.url, 2, SCHEMA),
    ).initialize();
    const account = await makeAccount(dataSource);
    await dataSource.destroy();
    const api = new ApiClient(service.origin, account.key);
    expect((await api.createDocument({ title: 'before' })).status).toBe(201);
    await postgres.stop();
    expect((await api.createDocument({ title: 'during' })).status).toBe(503);
    await postgres.start();
    await eventually(
      () => api.createDocument({ title: 'after' }),
      ({ status }) => status === 201,
    );
    expect(await service.end()).toBe(0);
  });
});
