import { Config } from '../../src/platform/config/config.js';
import { type ApiClient, whileBusy } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';

const MINUTE_MS = 60_000;

interface Template {
  id: string;
  version: number;
  createdAt: string;
  updatedAt: string;
  [field: string]: unknown;
}

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const WHOLE = {
  name: 'Letter',
  description: 'For clients',
  type: 'article',
  title: 'To {{client}}',
  content: 'Dear {{client}}',
  variables: [{ name: 'client', required: true, default: null, description: null }],
  metadata: { tags: ['letter'], nested: { a: 1, b: 2 } },
  aiSettings: { language: 'en' },
};

async function make(api: ApiClient, body: object = WHOLE): Promise<Template> {
  return expectSuccess(await api.createTemplate(body), 201) as Template;
}

describe('changing a template', () => {
  it('changing a template with PATCH changes only the given fields, as a new version', async () => {
    const { api } = await app.account();
    const before = await make(api);
    app.clock.advance(MINUTE_MS);
    const response = await api.patchTemplate(before.id, {
      content: 'Hello {{client}}',
      metadata: { nested: { b: null, c: '{{client}}' } },
    });
    const updatedAt = app.clock.now().toISOString();
    expect(expectSuccess(response)).toEqual({
      ...before,
      content: 'Hello {{client}}',
      metadata: { tags: ['letter'], nested: { a: 1, c: '{{client}}' } },
      version: 2,
      updatedAt,
    });
    expect(response.headers['etag']).toBe('"2"');
    expect((await api.readTemplate(before.id)).text).toContain('"nested":{"a":1,"c":"{{client}}"}');
  });

  it('changing a template accepts the media type of merge patches, and null for the default', async () => {
    const { api } = await app.account();
    const { id } = await make(api);
    const nothing = [
      'description',
      'type',
      'title',
      'content',
      'variables',
      'metadata',
      'aiSettings',
    ];
    const response = await api.send('PATCH', `/v1/templates/${id}`, {
      body: Object.fromEntries(nothing.map((field) => [field, null])),
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    expect(expectSuccess(response)).toMatchObject({
      name: 'Letter',
      description: null,
      type: 'document',
      title: null,
      content: '',
      variables: [],
      metadata: {},
      aiSettings: {},
    });
    expectFailure(await api.patchTemplate(id, { name: null }), 400, 'INVALID_REQUEST');
  });

  it('changing a template writes nothing when nothing changes, whatever the spelling', async () => {
    const { api } = await app.account();
    const before = await make(api);
    app.clock.advance(MINUTE_MS);
    for (const body of [
      {},
      WHOLE,
      { ...before, version: 9, id: 'x' },
      { metadata: { none: null } },
    ]) {
      expect(expectSuccess(await api.patchTemplate(before.id, body))).toEqual(before);
    }
    expect(expectSuccess(await api.replaceTemplate(before.id, before))).toEqual(before);
  });

  it('changing a template with PUT replaces it: omitted fields get their defaults', async () => {
    const { api } = await app.account();
    const { id, createdAt } = await make(api);
    const replaced = expectSuccess(await api.replaceTemplate(id, { name: 'Bare', content: 'x' }));
    expect(replaced).toMatchObject({
      id,
      name: 'Bare',
      description: null,
      type: 'document',
      title: null,
      content: 'x',
      variables: [],
      metadata: {},
      aiSettings: {},
      version: 2,
      createdAt,
    });
    expectFailure(await api.replaceTemplate(id, { content: 'x' }), 400, 'INVALID_REQUEST');
  });

  it('changing a template is refused if the result would be invalid, and then changes nothing', async () => {
    const { api } = await app.account();
    const before = await make(api, { ...WHOLE, metadata: { a: 'x'.repeat(10_000) } });
    const many = Array.from({ length: 100 }, (_, index) => ({ name: `v${String(index)}` }));
    for (const [body, field] of [
      [{ metadata: { b: 'x'.repeat(10_000) } }, 'metadata'],
      [{ metadata: { tags: 'x' } }, 'metadata.tags'],
      [{ metadata: [] }, 'metadata'],
      [{ variables: many }, 'title'],
      [{ titel: 'x' }, 'titel'],
    ] as const) {
      const refused = await api.patchTemplate(before.id, body);
      expectFailure(refused, 400, 'INVALID_REQUEST');
      expect(refused.body.error.details.field).toBe(field);
    }
    expect(expectSuccess(await api.readTemplate(before.id))).toEqual(before);
  });

  it('changing a template with an outdated If-Match is refused with 412 and the current version', async () => {
    const { api } = await app.account();
    const { id } = await make(api);
    expectSuccess(await api.patchTemplate(id, { name: 'Two' }, { 'if-match': '"1"' }));
    for (const reply of [
      await api.patchTemplate(id, { name: 'Three' }, { 'if-match': '"1"' }),
      await api.replaceTemplate(id, { name: 'Three' }, { 'if-match': 'W/"2"' }),
      await api.deleteTemplate(id, { 'if-match': '"1", "3"' }),
      await api.send('POST', `/v1/templates/${id}/versions/1/restore`, {
        headers: { 'if-match': '"1"' },
      }),
    ]) {
      expectFailure(reply, 412, 'INVALID_REQUEST');
      expect(reply.body.error.details).toMatchObject({ currentVersion: 2, currentETag: '"2"' });
    }
    expectSuccess(await api.patchTemplate(id, { name: 'Three' }, { 'if-match': '"9", "2"' }));
    expectSuccess(await api.patchTemplate(id, { name: 'Four' }, { 'if-match': '*' }));
  });

  it('changing a template returns 304 if the client has the current version', async () => {
    const { api } = await app.account();
    const { id } = await make(api);
    const unchanged = await api.readTemplate(id, { 'if-none-match': '"1"' });
    expect([unchanged.status, unchanged.text]).toEqual([304, '']);
    await api.patchTemplate(id, { name: 'Two' });
    expect((await api.readTemplate(id, { 'if-none-match': '"1"' })).status).toBe(200);
  });

  it('changing a template loses none of twenty concurrent changes on two replicas', async () => {
    const account = await app.account();
    const { id } = await make(account.api);
    const replica = await startTestApp({ databaseUrl: app.app.get(Config).databaseUrl });
    const apis = [account.api, replica.api(account.key)];
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        whileBusy(() =>
          (apis[n % 2] as ApiClient).patchTemplate(id, { metadata: { [`k${String(n)}`]: n } }),
        ),
      ),
    );
    await replica.close();
    for (const reply of responses) expectSuccess(reply);
    const { version, metadata } = expectSuccess(await account.api.readTemplate(id)) as Template;
    expect(version).toBe(21);
    expect(Object.keys(metadata as object)).toHaveLength(22);
    const versions = responses.map(({ body }) => body.data.version as number);
    expect(new Set(versions).size).toBe(20);
  });

  it('changing a template accepts exactly one of many with the same If-Match', async () => {
    const { api } = await app.account();
    const { id } = await make(api);
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        whileBusy(() =>
          api.patchTemplate(id, { name: `Name ${String(n)}` }, { 'if-match': '"1"' }),
        ),
      ),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 412)).toHaveLength(19);
  });

  it('changing a template is in the audit log with the names of the fields, not their contents', async () => {
    const { api, accountId } = await app.account();
    const { id } = await make(api);
    await api.patchTemplate(id, { content: 'secret', title: null });
    await api.send('POST', `/v1/templates/${id}/versions/1/restore`);
    await api.deleteTemplate(id);
    const entries: { action: string; details: string }[] = await app.dataSource.query(
      'SELECT action, details FROM audit_log WHERE account_id = $1 ORDER BY id',
      [accountId],
    );
    expect(entries).toEqual([
      { action: 'template.create', details: {} },
      { action: 'template.update', details: { version: 2, changes: ['title', 'content'] } },
      {
        action: 'template.update',
        details: { version: 3, changes: ['title', 'content'], restored: 1 },
      },
      { action: 'template.delete', details: {} },
    ]);
  });
});

it('deleting a template removes it and its versions permanently', async () => {
  const { api } = await app.account();
  const { id } = await make(api);
  expect(expectSuccess(await api.deleteTemplate(id))).toEqual({ id, deleted: true });
  for (const reply of [
    await api.readTemplate(id),
    await api.deleteTemplate(id),
    await api.patchTemplate(id, { name: 'x' }),
    await api.send('GET', `/v1/templates/${id}/versions/1`),
  ]) {
    expectFailure(reply, 404, 'NOT_FOUND');
  }
  const [{ n }] = await app.dataSource.query(
    `SELECT count(*)::int AS n FROM template_versions WHERE template_id NOT IN (SELECT id FROM templates)`,
  );
  expect(n).toBe(0);
});
