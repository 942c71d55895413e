import fc from 'fast-check';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { updateIndex } from './document-rows.js';

type Shown = Record<string, unknown> & { id: string };

let app: TestApp;
let api: ApiClient;
let id: string;
beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'api' } });
  ({ api } = await app.account());
  const body = { title: 'A', content: 'alpha bravo', metadata: { b: 1, a: 2.0 } };
  ({ id } = expectSuccess(await api.createDocument(body), 201) as Shown);
  await updateIndex(app);
});
afterAll(() => app.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  api.send('GET', path, { headers });

describe('fields', () => {
  it('fields return the requested fields and the ID, for one document and in lists', async () => {
    const whole = expectSuccess(await api.readDocument(id)) as Shown;
    const { title, metadata } = whole;
    const one = await get(`/v1/documents/${id}?fields=metadata,title`);
    expect(expectSuccess(one)).toEqual({ id, title, metadata });
    expect(expectSuccess(await get(`/v1/documents/${id}?fields=title&fields=metadata`))).toEqual({
      id,
      title,
      metadata,
    });
    expect(expectSuccess(await get(`/v1/documents/${id}?fields=id`))).toEqual({ id });
    expect(expectSuccess(await get(`/v1/documents/${id}?fields=excerpt,wordCount`))).toEqual({
      id,
      excerpt: 'alpha bravo',
      wordCount: 2,
    });
    const list = async (query: string) =>
      (expectSuccess(await get(`/v1/documents?${query}`)) as Shown[])[0];
    expect(await list('fields=title')).toEqual({ id, title });
    expect(await list('fields=title,content')).toEqual({ id, title, content: 'alpha bravo' });
    expect(await list('fields=title&include=content')).toEqual({
      id,
      title,
      content: 'alpha bravo',
    });
    expect(await list('fields=highlight,deletedAt')).toEqual({ id });
    expect(await list('fields=highlight&q=bravo')).toEqual({
      id,
      highlight: 'alpha <mark>bravo</mark>',
    });
    expect(await list('fields=title&status=draft')).toEqual({ id, title });
  });

  it('fields that are unknown are refused with the nearest one', async () => {
    for (const path of [`/v1/documents/${id}`, '/v1/documents', '/v1/templates']) {
      const refused = async (fields: string) => {
        const reply = await get(`${path}?fields=${fields}`);
        expectFailure(reply, 400, 'INVALID_REQUEST');
        expect(reply.body.error.details.field).toBe('fields');
        return reply.body.error.details.issue as string;
      };
      expect(await refused('id,metdata')).toBe(
        "'metdata' is not a known field; did you mean 'metadata'?",
      );
      expect(await refused('')).toMatch(/^must be comma-separated field names/);
      expect(await refused('title,')).toMatch(/^must be comma-separated field names/);
      expect(await refused('accountId')).toMatch(/^'accountId' is not a known field/);
      expect(await refused('__proto__')).toMatch(/^'__proto__' is not a known field/);
    }
  });

  it('fields have their own ETag, which returns 304 for the same fields only and is valid for If-Match', async () => {
    const etagOf = async (path: string) => (await get(path)).headers['etag'] as string;
    const whole = `/v1/documents/${id}`;
    const some = `${whole}?fields=title,type`;
    const [tag, partial] = [await etagOf(whole), await etagOf(some)];
    expect(partial).not.toBe(tag);
    expect(await etagOf(`${whole}?fields=type,id,title`)).toBe(partial);
    expect(await etagOf(`${whole}?fields=title`)).not.toBe(partial);
    expect((await get(some, { 'if-none-match': partial })).status).toBe(304);
    expect((await get(whole, { 'if-none-match': partial })).status).toBe(200);
    expect((await get(some, { 'if-none-match': tag })).status).toBe(200);
    const changed = await api.patchDocument(id, { title: 'B' }, { 'if-match': partial });
    expectSuccess(changed);
    expectFailure(
      await api.patchDocument(id, { title: 'C' }, { 'if-match': partial }),
      412,
      'INVALID_REQUEST',
    );
    expect((await get(some, { 'if-none-match': partial })).status).toBe(200);
  });

  it('fields work the same for a template and for lists of templates', async () => {
    const { data } = (await api.listTemplates()).body as { data: { id: string; name: string }[] };
    const [first] = data;
    const list = await get('/v1/templates?fields=name&type=report&type=article');
    for (const item of expectSuccess(list) as object[]) {
      expect(Object.keys(item)).toEqual(['id', 'name']);
    }
    const one = await get(`/v1/templates/${first?.id ?? ''}?fields=name`);
    expect(expectSuccess(one)).toEqual({ id: first?.id, name: first?.name });
    expect(one.headers['etag']).toBe('"1;id.name"');
    expectFailure(await get('/v1/templates?fields=content'), 400, 'INVALID_REQUEST');
  });

  it('fields that are known are exactly those of the whole response, whichever are requested', async () => {
    const whole = expectSuccess(await api.readDocument(id)) as Shown;
    await fc.assert(
      fc.asyncProperty(fc.subarray(Object.keys(whole), { minLength: 1 }), async (names) => {
        const reply = expectSuccess(await get(`/v1/documents/${id}?fields=${names.join(',')}`));
        const expected = Object.entries(whole).filter(
          ([name]) => name === 'id' || names.includes(name),
        );
        expect(reply).toEqual(Object.fromEntries(expected));
      }),
      { numRuns: 12 },
    );
  });
});

describe('a copy', () => {
  it('a copy is a new draft of the current document, created by the caller', async () => {
    const body = {
      title: 'Plan',
      type: 'report',
      content: 'One two',
      externalId: 'plan',
      metadata: { tags: ['x'] },
      aiSettings: { language: 'en' },
    };
    const original = expectSuccess(await api.createDocument(body), 201) as Shown;
    await api.patchDocument(original.id, { status: 'published' });
    const path = `/v1/documents/${original.id}/copy`;
    const response = await api.send('POST', path);
    const copy = expectSuccess(response, 201) as Shown;
    expect(response.headers['location']).toBe(`/v1/documents/${copy.id}`);
    expect(response.headers['etag']).toBe('"1"');
    expect(copy).toEqual({
      ...original,
      id: copy.id,
      title: 'Copy of Plan',
      externalId: null,
      status: 'draft',
      version: 1,
    });
    expect(expectSuccess(await api.readDocument(copy.id))).toEqual(copy);
    const other = await api.send('POST', path, {
      body: { title: 'Other', type: 'article', metadata: { n: 1 } },
    });
    expect(expectSuccess(other, 201)).toMatchObject({
      title: 'Other',
      type: 'article',
      metadata: { n: 1 },
      content: 'One two',
    });
    const keyed = { headers: { 'idempotency-key': 'copy' } };
    const [once, again] = [
      await api.send('POST', path, keyed),
      await api.send('POST', path, keyed),
    ];
    expect(expectSuccess(again, 201)).toEqual(expectSuccess(once, 201));
    const events = expectSuccess(await get('/v1/events?limit=1')) as { type: string }[];
    expect(events).toMatchObject([{ type: 'document.created' }]);
  });

  it('a copy has a title within the limit, and needs an existing document and both scopes', async () => {
    const long = expectSuccess(await api.createDocument({ title: '😀'.repeat(500) }), 201) as Shown;
    const copy = expectSuccess(
      await api.send('POST', `/v1/documents/${long.id}/copy`),
      201,
    ) as Shown;
    expect(copy['title']).toBe(`Copy of ${'😀'.repeat(492)}`);
    const refused = await api.send('POST', `/v1/documents/${long.id}/copy`, {
      body: { externalId: 'x' },
    });
    expectFailure(refused, 400, 'INVALID_REQUEST');
    await api.deleteDocument(long.id);
    expectFailure(await api.send('POST', `/v1/documents/${long.id}/copy`), 404, 'NOT_FOUND');
    const writer = await app.account({ scopes: ['documents:write'] });
    const own = expectSuccess(await writer.api.createDocument({ title: 'A' }), 201) as Shown;
    const reply = await writer.api.send('POST', `/v1/documents/${own.id}/copy`);
    expectFailure(reply, 403, 'FORBIDDEN');
    expect(reply.body.error.details.requiredScopes).toEqual(['documents:read']);
  });
});

describe('sort', () => {
  it.each([
    '/v1/documents?sort=createdAt',
    '/v1/documents?sort=updatedAt&order=asc',
    '/v1/documents?sort=wordCount',
    '/v1/documents?type=document&sort=wordCount',
    '/v1/templates?sort=updatedAt',
    '/v1/webhooks?sort=createdAt',
    '/v1/jobs?sort=updatedAt',
    '/v1/events?sort=createdAt',
    '/v1/audit?sort=createdAt',
    '/v1/keys?sort=createdAt',
  ])('sort accepts the spelling of responses, such as %s', async (path) => {
    const snake = path.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const [one, other] = [await get(path), await get(snake)];
    expect(expectSuccess(one)).toEqual(expectSuccess(other));
    expect(one.body.meta.pagination).toEqual(other.body.meta.pagination);
  });

  it('sort refuses a sign before the name and says how to set the direction', async () => {
    const reply = await get('/v1/documents?sort=-createdAt');
    expectFailure(reply, 400, 'INVALID_REQUEST');
    expect(reply.body.error.details.issue).toMatch(/order=asc or order=desc/);
  });
});
