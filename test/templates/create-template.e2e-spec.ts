import { type ApiResponse, whileBusy } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';

const MIB = 1024 * 1024;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('creating a template', () => {
  it('creating a template returns 201 with the whole template, its location and its entity tag', async () => {
    const { api, user } = await app.account();
    const sent = {
      name: ' Offer ',
      description: 'For new clients',
      type: 'report',
      title: 'Offer to {{client}}',
      content: 'Dear {{client}},\r\n{{ body }}',
      metadata: { tags: ['offer'], project: '{{client}}' },
      aiSettings: { language: 'en' },
    };
    const variables = [
      { name: 'client', required: true, description: 'Who gets it' },
      { name: 'body', default: 'see below' },
    ];
    const response = await api.createTemplate({ ...sent, variables });
    const template = expectSuccess(response, 201) as { id: string };
    const now = app.clock.now().toISOString();
    expect(template).toEqual({
      id: expect.stringMatching(/^tmpl_[0-7][0-9a-hjkmnp-tv-z]{25}$/) as string,
      ...sent,
      variables: [
        { name: 'client', required: true, default: null, description: 'Who gets it' },
        { name: 'body', required: false, default: 'see below', description: null },
      ],
      version: 1,
      createdAt: now,
      updatedAt: now,
      createdBy: user,
    });
    expect(response.headers['location']).toBe(`/v1/templates/${template.id}`);
    expect(response.headers['etag']).toBe('"1"');
    expect(response.body.meta.warnings).toBeUndefined();
    const read = await api.readTemplate(template.id);
    expect(JSON.stringify(read.body.data)).toBe(JSON.stringify(response.body.data));
    expect(read.headers['etag']).toBe('"1"');
  });

  it('creating a template needs only a name and fills in the defaults', async () => {
    const { api } = await app.account();
    expect(expectSuccess(await api.createTemplate({ name: 'Empty' }), 201)).toMatchObject({
      description: null,
      type: 'document',
      title: null,
      content: '',
      variables: [],
      metadata: {},
      aiSettings: {},
    });
  });

  it('creating a template preserves open objects and hostile text exactly', async () => {
    const { api } = await app.account();
    const metadata = '{ "b":1.0, "1":2e2,"__proto__":{"x":"{{a}}"},"a":12345678901234567890 }';
    const created = await api.send('POST', '/v1/templates', {
      rawBody: `{"name":"“Ü” 😀\\u0001","content":"\\u2028\\\\{{a}}\\"","metadata":${metadata}}`,
    });
    expect(created.status).toBe(201);
    expect(created.text).toContain(`"metadata":${metadata},`);
    const { id } = created.body.data as { id: string };
    const read = await api.readTemplate(id);
    expect(read.text).toContain(`"metadata":${metadata},`);
    expect(read.body.data).toMatchObject({ name: '“Ü” 😀\u0001', content: '\u2028\\{{a}}"' });
    expect((await api.listTemplates()).text).toContain(`"metadata":${metadata},`);
  });

  it('creating a template reports every problem of a body at once, with the nearest known name of an unknown field', async () => {
    const { api } = await app.account();
    const refused = await api.createTemplate({
      name: '  ',
      description: 7,
      type: 'letter',
      title: '',
      content: null,
      variables: [{ name: 'a b' }, { nmae: 'x' }],
      metadata: { tags: 'x' },
      aiSettings: [],
      variable: [],
      version: 3,
    });
    expectFailure(refused, 400, 'INVALID_REQUEST');
    const problems = refused.body.error.details.problems as { field: string; issue: string }[];
    expect(problems.map(({ field }) => field)).toEqual([
      'name',
      'description',
      'type',
      'title',
      'content',
      'variables[0].name',
      'variables[1].name',
      'variables[1].nmae',
      'metadata.tags',
      'aiSettings',
      'variable',
      'version',
    ]);
    expect(problems[10]?.issue).toContain("did you mean 'variables'?");
  });

  it.each([
    ['a name of 200 characters', { name: '😀'.repeat(200) }, 201],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, 400],
    ['a description of 2,001 characters', { name: 'n', description: 'x'.repeat(2001) }, 400],
    ['a title of 501 characters', { name: 'n', title: 'x'.repeat(501) }, 400],
    ['content of 1 MiB', { name: 'n', content: 'x'.repeat(MIB) }, 201],
    ['content of 1 MiB and a byte', { name: 'n', content: 'x'.repeat(MIB + 1) }, 400],
    ['content of 1 MiB of places', { name: 'n', content: '{{a}}'.repeat(MIB / 5) }, 201],
    ['content of 1 MiB of braces', { name: 'n', content: '{'.repeat(MIB) }, 201],
    ['metadata of 16 KiB and a byte', { name: 'n', metadata: { k: 'x'.repeat(16_377) } }, 400],
    ['a hundred variables', { name: 'n', variables: variables(100) }, 201],
    ['a hundred and one', { name: 'n', variables: variables(101) }, 400],
    ['more of them in use', { name: 'n', variables: variables(100), content: '{{other}}' }, 400],
    ['no variables, as null', { name: 'n', variables: null }, 400],
  ])('creating a template responds to %s with the limit', async (_, body, status) => {
    const { api } = await app.account();
    expect((await api.createTemplate(body)).status).toBe(status);
  });

  it('creating a template warns about likely mistakes', async () => {
    const { api } = await app.account();
    const response = await api.createTemplate({
      name: 'Doubtful',
      content: '{{cleint}} {{first name}}',
      variables: [{ name: 'client', required: true, default: 'x' }],
    });
    expectSuccess(response, 201);
    const warnings = response.body.meta.warnings as { field: string; issue: string }[];
    expect(warnings.map(({ field }) => field)).toEqual([
      'content',
      'variables[0].name',
      'variables[0].required',
      'content',
    ]);
    expect(warnings[0]?.issue).toContain("did you mean 'client'?");
  });

  it('creating a template happens once with an Idempotency-Key, with one entry in the audit log', async () => {
    const { api, accountId, userId } = await app.account();
    const create = () => api.createTemplate({ name: 'Once' }, { 'Idempotency-Key': 'k' });
    const responses = await Promise.all(Array.from({ length: 20 }, create));
    const made = responses.filter(({ status }) => status === 201);
    const ids = made.map(({ body }) => (body as { data: { id: string } }).data.id);
    expect(new Set(ids).size).toBe(1);
    expect(responses.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect((await create()).headers['idempotency-replayed']).toBe('true');
    expect((await api.listTemplates({ q: 'once' })).body.meta.pagination.total).toBe(1);
    const entries: object[] = await app.dataSource.query(
      'SELECT action, user_id, details FROM audit_log WHERE account_id = $1',
      [accountId],
    );
    expect(entries).toEqual([{ action: 'template.create', user_id: userId, details: {} }]);
  });

  it('creating a template is refused at 1,000 templates, even when many requests arrive at once', async () => {
    const { api, accountId } = await app.account();
    const { body } = await api.createTemplate({ name: 'First' });
    await app.dataSource.query(
      `INSERT INTO templates (id, account_id, name, type, content, variables, metadata, ai_settings, version, created_at,
                              updated_at)
       SELECT gen_random_uuid(), account_id, name, type, '', '[]', '{}', '{}', 1, created_at, updated_at
         FROM templates CROSS JOIN generate_series(1, 994) WHERE account_id = $1`,
      [accountId],
    );
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => whileBusy(() => api.createTemplate({ name: 'At once' }))),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(5);
    const refused = responses.find(({ status }) => status !== 201);
    expectFailure(refused as ApiResponse, 409, 'INVALID_REQUEST');
    expectSuccess(await api.deleteTemplate(body.data.id as string));
    expectSuccess(await api.createTemplate({ name: 'In its place' }), 201);
  });
});

function variables(count: number): { name: string }[] {
  return Array.from({ length: count }, (_, index) => ({ name: `v${String(index)}` }));
}
