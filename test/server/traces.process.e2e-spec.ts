import { randomBytes } from 'node:crypto';
import { request } from 'undici';
import { makeAccount, type TestAccount } from '../support/accounts.js';
import { ApiClient } from '../support/api-client.js';
import { compiledProgram } from '../support/compiled-program.js';
import { eventually } from '../support/eventually.js';
import { openTestDatabase } from '../support/postgres.js';
import { startService, type ServiceProcess } from '../support/service-process.js';
import { TraceCollector, type CollectedSpan } from '../support/trace-collector.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let environment: Record<string, string>;
let account: TestAccount;
beforeAll(async () => {
  database = await openTestDatabase();
  account = await makeAccount(database.dataSource);
  environment = {
    DATABASE_URL: database.url,
    SECRETS_KEY: randomBytes(32).toString('base64'),
    PROCESS_ROLE: 'all',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    OTEL_BSP_SCHEDULE_DELAY: '100',
  };
});
afterAll(() => database.drop());

const CALLER = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };

/** The published program, because the tracer replaces parts of packages while they load. */
const start = (variables: Record<string, string>): Promise<ServiceProcess> =>
  startService({ ...environment, ...variables }, compiledProgram('main'));

describe('traces', () => {
  it('traces show a create with its statements under the span of its client, and the attempt of its webhook', async () => {
    const collector = await TraceCollector.start();
    const receiver = await WebhookReceiver.start();
    const service = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer collector',
      OTEL_SERVICE_NAME: 'documents-of-test',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
    });
    const api = new ApiClient(service.origin, account.key);
    await api.registerWebhook({ url: `${receiver.url}?token=hunter2`, events: ['document.*'] });
    const created = await request(`${service.origin}/v1/documents`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${account.key}`,
        'Content-Type': 'application/json',
        traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01`,
      },
      body: JSON.stringify({ title: 'A secret title', content: 'Nobody reads this.' }),
    });
    await created.body.dump();
    expect(created.statusCode).toBe(201);
    const find = (is: (span: CollectedSpan) => boolean) =>
      eventually(() => collector.spans.find(is) as CollectedSpan);

    const create = await find(({ name }) => name === 'POST /v1/documents');
    expect(create).toMatchObject({
      traceId: CALLER.traceId,
      parentSpanId: CALLER.spanId,
      attributes: {
        'http.route': '/v1/documents',
        'http.response.status_code': 201,
        'document_service.request_id': created.headers['x-request-id'],
      },
      resource: { 'service.name': 'documents-of-test', 'deployment.environment': 'test' },
    });
    const statement = await find(
      ({ traceId, attributes }) =>
        traceId === CALLER.traceId && JSON.stringify(attributes).includes('INSERT INTO documents'),
    );
    expect(statement.parentSpanId).toBe(create.spanId);

    const attempt = await find(({ name }) => name === 'webhook attempt');
    expect(attempt.attributes).toMatchObject({
      'document_service.attempt': 1,
      'http.response.status_code': 204,
    });
    await find(({ name, parentSpanId }) => name === 'POST' && parentSpanId === attempt.spanId);
    expect(receiver.received[0]?.headers).not.toHaveProperty('traceparent');

    const line = await eventually(() =>
      service.log().find(({ msg, traceId }) => msg === 'request' && traceId === CALLER.traceId),
    );
    expect(line).toMatchObject({ requestId: created.headers['x-request-id'] });

    // A key in the path of the checker appears in no span.
    await api.send('GET', `/lt/${account.key}/v2/languages`);
    await find(({ name }) => name === 'GET /lt/:key/v2/languages');

    // Spans that are in progress at the end are sent too.
    await api.listDocuments();
    expect(await service.end()).toBe(0);
    expect(collector.spans.map(({ name }) => name)).toContain('GET /v1/documents');
    expect(collector.headers[0]).toMatchObject({ authorization: 'Bearer collector' });
    expect(collector.spans.map(({ name }) => name).join()).not.toMatch(/doc_|wh_|evt_/);
    const told = JSON.stringify(collector.spans);
    for (const secret of ['A secret title', 'Nobody reads this', 'hunter2', account.key]) {
      expect(told).not.toContain(secret);
    }
    await receiver.close();
    await collector.stop();
  });

  it('traces cost one log line while no collector accepts them, and do not delay shutdown', async () => {
    const service = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      OTEL_EXPORTER_OTLP_TIMEOUT: '300',
    });
    const api = new ApiClient(service.origin, account.key);
    const warnings = () =>
      service
        .log()
        .filter(({ msg }) => String(msg).startsWith('The collector does not accept traces'));
    await api.listDocuments();
    await eventually(() => warnings().length > 0);
    for (let n = 0; n < 20; n += 1) expect((await api.listDocuments()).status).toBe(200);
    const begun = performance.now();
    expect(await service.end()).toBe(0);
    expect(performance.now() - begun).toBeLessThan(8_000);
    expect(warnings()).toHaveLength(1);
    expect(service.output()).not.toContain('ECONNREFUSED\n');
  });

  it.each([
    ['makes no traces and loads nothing for it without a collector', {}, false],
    ['loads it with one', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }, true],
  ])('the service %s', async (_, variables: Record<string, string>, isLoaded) => {
    const service = await start({ ...variables, NODE_DEBUG: 'module' });
    await service.end('SIGKILL');
    expect(service.output()).toContain('node_modules/pg/lib');
    expect(/@opentelemetry.(sdk|instrumentation|exporter)/.test(service.output())).toBe(isLoaded);
  });
});
