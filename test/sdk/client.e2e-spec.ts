import {
  ConflictError,
  ConnectionError,
  DocumentService,
  ExpiredCursorError,
  ForbiddenError,
  InternalError,
  InvalidRequestError,
  NotFoundError,
  RateLimitError,
  TimeoutError,
  UnauthorizedError,
  type ClientOptions,
} from '@document-service/client';
import { encodeId, newUuid } from '../../src/platform/basics/identifiers/identifiers.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { FaultProxy } from '../support/fault-proxy.js';

let app: TestApp;
let proxy: FaultProxy;
let client: DocumentService;
let key: string;

const clientWith = (options: Partial<ClientOptions>) =>
  new DocumentService({ baseUrl: proxy.origin, apiKey: key, retryDelayMs: 10, ...options });

const thrownBy = (work: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(work).then(
    () => undefined,
    (error: unknown) => error,
  );

beforeAll(async () => {
  app = await startTestApp();
  proxy = await FaultProxy.start(app.origin);
  ({ key } = await app.account());
  client = clientWith({});
});

beforeEach(() => {
  proxy.fail();
});

afterAll(async () => {
  await proxy.close();
  await app.close();
});

describe('the TypeScript client', () => {
  it('the TypeScript client publishes, reads the published version beside the draft, and unpublishes', async () => {
    const { key: own } = await app.account();
    const { account, documents } = clientWith({ apiKey: own });
    expect(await account.updatePublishing({ enabled: true })).toMatchObject({ enabled: true });
    const externalId = 'plan/1';
    const { id } = await documents.create({ title: 'Plan', content: 'One.', externalId });
    await documents.publish(id);
    await documents.update(id, { content: 'Two.' });
    const read = documents.get(id, { version: 'published' });
    const { data, etag } = await read.withResponse();
    expect(data).toMatchObject({ content: 'One.', publishedAt: expect.any(String) });
    expect(etag).toBe('"2;p1"');
    const conditions = { version: 'published', ifNoneMatch: etag } as const;
    expect(await documents.get(id, conditions)).toBeUndefined();
    expect(await documents.byExternalId.get(externalId, conditions)).toBeUndefined();
    const fields = ['content'] as const;
    expect(await documents.get(id, { version: 'published', fields })).toEqual({
      ...{ id, content: 'One.' },
    });
    expect(await documents.list({ perspective: 'published' }).toArray()).toMatchObject([{ id }]);
    const discarded = await documents.discard(id);
    expect(discarded).toMatchObject({ content: 'One.', published: { changed: false } });
    expect(await documents.publications(id).toArray()).toMatchObject([{ number: 1, version: 2 }]);
    expect(await documents.unpublish(id)).toMatchObject({ status: 'draft' });
    expect(await thrownBy(documents.get(id, { version: 'published' }))).toBeInstanceOf(
      NotFoundError,
    );
  });

  it('the TypeScript client proposes changes, lists proposals, withdraws one and applies another', async () => {
    const { key: own } = await app.account();
    const agent = clientWith({ apiKey: own });
    const { id } = await agent.documents.create({ title: 'Report', content: 'It grew by 12 %.' });
    const edits = [{ quote: '12 %', replacement: '13 %' }];
    const first = await agent.documents.propose(id, { edits, message: 'Figures' });
    const listed = [];
    for await (const { id: proposal, proposal: sent } of agent.proposals.list({ documentId: id })) {
      listed.push([proposal, sent?.message]);
    }
    expect(listed).toEqual([[first.id, 'Figures']]);
    expect(await thrownBy(agent.documents.propose(id, { edits }))).toBeInstanceOf(ConflictError);
    const withdrawn = await agent.documents.enhancements.withdraw(id, first.id);
    expect(withdrawn.status).toBe('stale');
    const second = await agent.documents.propose(id, { edits });
    await agent.documents.enhancements.apply(id, second.id, { suggestionIds: 'all' });
    expect((await agent.documents.get(id)).content).toBe('It grew by 13 %.');
  });

  it('the TypeScript client makes a collection for some people, puts documents into it, and exports it', async () => {
    const { key: own } = await app.account();
    const { collections, documents, keys, members, serviceAccounts } = clientWith({ apiKey: own });
    const made = await collections.create({
      name: 'Salaries',
      access: { everyone: null, people: [] },
    });
    expect(made).toMatchObject({ isRestricted: true, right: 'manager' });
    const july = await documents.create({ title: 'July', collectionId: made.id });
    await documents.create({ title: 'Elsewhere' });
    expect(await documents.list({ collection: [made.id] }).toArray()).toMatchObject([
      { id: july.id },
    ]);
    const program = await serviceAccounts.create({ name: 'Payroll', role: 'member' });
    const people = [{ userId: program.id, right: 'viewer' as const }];
    expect(await members.list({ q: 'payroll' }).toArray()).toMatchObject([{ id: program.id }]);
    const stale = collections.setAccess(made.id, { access: null }, { ifMatch: 7 });
    expect(await thrownBy(stale)).toMatchObject({ status: 412 });
    await collections.setAccess(made.id, { access: { everyone: null, people } });
    expect(await collections.access(made.id)).toMatchObject({
      access: { everyone: null, people: [{ name: 'Payroll', right: 'viewer' }] },
    });
    const created = await keys.create({
      name: 'Reader',
      scopes: ['documents:read'],
      collections: [made.id],
    });
    const reader = clientWith({ apiKey: created.key ?? '' });
    expect(await reader.documents.list().toArray()).toMatchObject([{ id: july.id }]);
    expect(await collections.export(made.id)).toMatchObject({ kind: 'collection.export' });
    await collections.update(made.id, { name: 'Pay' });
    await documents.update(july.id, { collectionId: null });
    expect(await collections.delete(made.id)).toMatchObject({ deleted: true });
    expect(await thrownBy(collections.get(made.id))).toBeInstanceOf(NotFoundError);
    expect(await collections.list().toArray()).toEqual([]);
  });

  it('the TypeScript client creates, reads, changes, deletes and restores a document', async () => {
    const made = await client.documents.create({
      title: 'Plan',
      type: 'report',
      content: 'one two',
      metadata: { tags: ['a'], region: 'eu' },
    });
    expect(made).toMatchObject({ title: 'Plan', status: 'draft', version: 1, wordCount: 2 });
    expect(await client.documents.get(made.id)).toEqual(made);
    const changed = await client.documents.update(made.id, { title: 'Plan B' });
    expect(changed).toMatchObject({ title: 'Plan B', version: 2 });
    expect(await client.documents.versions.list(made.id).toArray()).toHaveLength(2);
    expect(await client.documents.delete(made.id)).toMatchObject({ deleted: true });
    expect(await thrownBy(client.documents.get(made.id))).toBeInstanceOf(NotFoundError);
    expect(await client.documents.restore(made.id)).toMatchObject({ id: made.id });
    expect(await client.documents.delete(made.id, { permanent: true })).toMatchObject({
      permanent: true,
    });
  });

  it.each(['', '/', '/v1', '/v1/'])(
    'the TypeScript client accepts a URL that ends with %j',
    async (end) => {
      const here = clientWith({ baseUrl: proxy.origin + end });
      expect(await here.service.live()).toBeDefined();
      expect((await here.documents.list()).status).toBe(200);
    },
  );

  it('the TypeScript client returns the request ID, the rate limit, the version tag and the status with the data', async () => {
    const { key: limited } = await app.account({ plan: 'free' });
    const call = clientWith({ apiKey: () => Promise.resolve(limited) }).documents.create({
      title: 'x',
    });
    const { data, meta, requestId, rateLimit, etag, status } = await call.withResponse();
    expect(data).toEqual(await call);
    expect(requestId).toBe(meta.requestId);
    expect(requestId).toMatch(/^req_/);
    expect(rateLimit).toMatchObject({ limit: 10, remaining: 9 });
    expect(rateLimit?.reset).toBeInstanceOf(Date);
    expect([etag, status]).toEqual(['"1"', 201]);
  });

  it('the TypeScript client returns undefined for an unchanged document', async () => {
    const { id } = await client.documents.create({ title: 'x' });
    expect(await client.documents.get(id, { ifNoneMatch: 1 })).toBeUndefined();
    expect(await client.documents.get(id, { ifNoneMatch: 7 })).toMatchObject({ id });
  });

  it('the TypeScript client sends metadata filters, several values and booleans as the service reads them', async () => {
    const { key: own } = await app.account();
    const here = clientWith({ apiKey: own });
    const metadata = { tags: ['a', 'b'], region: 'eu & us', client: { name: 'Ümlaut' } };
    const { id } = await here.documents.create({ title: 'x', metadata });
    await here.documents.create({ title: 'y', metadata: { tags: ['a'] } });
    const found = async (query: Parameters<typeof here.documents.list>[0]) =>
      (await here.documents.list(query).toArray()).map((document) => document.id);
    expect(await found({ metadata: { region: 'eu & us' } })).toEqual([id]);
    expect(await found({ metadata: { 'client.name': 'Ümlaut' } })).toEqual([id]);
    expect(await found({ metadata: { client: { name: 'Ümlaut' } } })).toEqual([id]);
    expect(await found({ metadata: { region: ['us', 'eu & us'] } })).toEqual([id]);
    expect(await found({ tag: 'b' })).toEqual([id]);
    expect(await found({ tag: ['a', 'b'], status: ['draft', 'published'] })).toEqual([id]);
    expect(await found({ ids: [id], status: 'draft' })).toEqual([id]);
    expect(await found({ deleted: true })).toEqual([]);
  });

  it('the TypeScript client returns the requested fields', async () => {
    const { id } = await client.documents.create({ title: 'x', content: 'long' });
    expect(await client.documents.get(id, { fields: ['title', 'version'] })).toEqual({
      id,
      title: 'x',
      version: 1,
    });
    const [item] = (await client.documents.list({ ids: [id], fields: ['title'] })).data;
    expect(item).toEqual({ id, title: 'x' });
    expect((await client.documents.get(id)).content).toBe('long');
  });

  it('the TypeScript client writes, reads and deletes by external ID, and copies', async () => {
    const externalId = 'crm/7 ü?#%2F';
    const { byExternalId } = client.documents;
    const put = byExternalId.put(externalId, { title: 'one', content: 'text' });
    const { data: made, status } = await put.withResponse();
    expect([made.externalId, status]).toEqual([externalId, 201]);
    expect(await byExternalId.put(externalId, { title: 'two', content: 'text' })).toMatchObject({
      id: made.id,
      version: 2,
    });
    expect(await byExternalId.get(externalId, { ifNoneMatch: 2 })).toBeUndefined();
    const copy = await client.documents.copy(made.id, { title: 'three' });
    expect(copy).toMatchObject({ title: 'three', content: 'text', version: 1 });
    expect(copy.externalId).not.toBe(externalId);
    expect(await byExternalId.delete(externalId, { permanent: true })).toMatchObject({
      id: made.id,
    });
    expect(await thrownBy(byExternalId.get(externalId))).toBeInstanceOf(NotFoundError);
  });

  it('the TypeScript client lists the types of events', async () => {
    const types = await client.events.types().toArray();
    expect(types.map(({ type }) => type)).toContain('document.updated');
  });

  it('the TypeScript client identifies the caller, and renames the account and the key', async () => {
    const me = await client.me();
    expect(me).toEqual(await client.request('GET', '/v1/me'));
    const account = await client.account.update({ name: 'Renamed' });
    expect(await client.account.get()).toEqual(account);
    const { id } = await client.keys.create({ name: 'old', scopes: ['documents:read'] });
    expect(await client.keys.update(id, { name: 'new' })).toMatchObject({ name: 'new' });
    expect(await client.keys.revoke(id)).toMatchObject({ id });
  });

  it('the TypeScript client imports bytes', async () => {
    const bytes = Buffer.from('# Bytes\n');
    for (const file of [bytes, new Uint8Array(bytes).buffer]) {
      const made = await client.documents.import({ file, fileName: 'bytes.md' });
      expect(made.title).toBe('Bytes');
    }
  });

  it('the TypeScript client imports a file and exports it again', async () => {
    const made = await client.documents.import({
      file: '# Heading\n\nSome *text*.\n',
      fileName: 'notes.md',
      type: 'article',
    });
    expect(made).toMatchObject({ title: 'Heading', type: 'article' });
    const { data: file, headers } = await client.documents
      .export(made.id, { format: 'docx' })
      .withResponse();
    expect(new Uint8Array(await file.arrayBuffer()).slice(0, 2)).toEqual(
      new Uint8Array([0x50, 0x4b]),
    );
    expect(headers.get('Content-Disposition')).toContain('.docx');
    expect(await (await client.documents.export(made.id, { format: 'md' })).text()).toContain(
      '*text*',
    );
  });

  it('the TypeScript client converts a file and stores nothing', async () => {
    const count = async () => (await client.documents.list().page()).data.length;
    const before = await count();
    const file = '<h1>Heading</h1><p>Some <b>text</b>.';
    expect(await client.documents.convert({ file, fileName: 'a.html' })).toEqual({
      title: 'Heading',
      content: '# Heading\n\nSome **text**.',
    });
    expect(await count()).toBe(before);
  });

  it('the TypeScript client calls any operation by its method and path', async () => {
    const { id } = await client.request('POST', '/v1/documents', { body: { title: 'low' } });
    const read = await client.request('GET', '/v1/documents/{id}', { path: { id } });
    expect(read.title).toBe('low');
    expect(await client.service.apiDocument()).toMatchObject({ openapi: '3.1.0' });
    expect(await client.service.metrics()).toContain('# HELP');
  });
});

describe('a list', () => {
  const titles = Array.from({ length: 25 }, (_, index) => `n${String(index).padStart(2, '0')}`);
  let here: DocumentService;

  beforeAll(async () => {
    const { key: own } = await app.account();
    here = clientWith({ apiKey: own });
    const operations = titles.map((title) => ({ op: 'create' as const, document: { title } }));
    await here.documents.batch({ operations });
  });

  it('a list returns every item once, page by page, by cursors', async () => {
    const seen: string[] = [];
    for await (const { title } of here.documents.list({ limit: 10, sort: 'title', order: 'asc' })) {
      seen.push(title);
    }
    expect(seen).toEqual(titles);
    expect(proxy.seen.map(({ path }) => path.includes('cursor='))).toEqual([false, true, true]);
    expect(proxy.seen.every(({ path }) => !/page=.*cursor=|cursor=.*page=/.test(path))).toBe(true);
  });

  it('a list returns a page with a link to the next one', async () => {
    const first = await here.documents.list({ limit: 20, page: 1 }).page();
    expect(first.data).toHaveLength(20);
    expect(first.pagination).toMatchObject({ total: 25, hasMore: true });
    const second = await first.next();
    expect(second).toMatchObject({ hasMore: false });
    expect(second?.data).toHaveLength(5);
    expect(await second?.next()).toBeUndefined();
  });

  it('a list is the first page when awaited, and as many items as requested as an array', async () => {
    expect((await here.documents.list({ limit: 3 })).data).toHaveLength(3);
    expect(await here.documents.list({ limit: 10 }).toArray({ limit: 12 })).toHaveLength(12);
    expect(await here.documents.list({ limit: 10 }).toArray()).toHaveLength(25);
  });

  it('a list requests nothing more when the loop ends', async () => {
    const titles: string[] = [];
    for await (const { title } of here.documents.list({ limit: 10 })) {
      if (titles.push(title) === 10) break;
    }
    expect(proxy.seen).toHaveLength(1);
  });
});

describe('an error of the client', () => {
  it('an error of the client has the class of its code, and says where and why', async () => {
    const error = await thrownBy(client.documents.create({ title: '' }));
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({
      name: 'InvalidRequestError',
      code: 'INVALID_REQUEST',
      status: 400,
      details: { field: 'title' },
      attempts: 1,
    });
    expect((error as InvalidRequestError).requestId).toMatch(/^req_/);
    const stranger = clientWith({ apiKey: 'nobody' });
    expect(await thrownBy(stranger.usage.get())).toBeInstanceOf(UnauthorizedError);
    const { key: reader } = await app.account({ scopes: ['documents:read'] });
    const forbidden = await thrownBy(
      clientWith({ apiKey: reader }).documents.create({ title: 'x' }),
    );
    expect(forbidden).toBeInstanceOf(ForbiddenError);
    expect(forbidden).toMatchObject({ details: { requiredScopes: ['documents:write'] } });
    expect(await thrownBy(client.documents.get('doc_1'))).toBeInstanceOf(NotFoundError);
  });

  it('an error of the client reports a conflict with the current version', async () => {
    const { id } = await client.documents.create({ title: 'x' });
    const error = await thrownBy(client.documents.update(id, { title: 'y' }, { ifMatch: 9 }));
    expect(error).toBeInstanceOf(ConflictError);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({ status: 412, details: { currentVersion: 1 } });
  });

  it('an error of the client reports the wait if it is too long to wait', async () => {
    const { key: limited } = await app.account({ plan: 'free' });
    const here = clientWith({ apiKey: limited, maxRetryDelayMs: 100 });
    for (let call = 0; call < 10; call += 1) await here.documents.list();
    const error = await thrownBy(here.documents.list());
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', status: 429, attempts: 1 });
    expect((error as RateLimitError).retryAfter).toBeGreaterThan(0);
  });

  it("an error of the client is also created from a proxy's response", async () => {
    const body = '<html><title>Bad Gateway</title><body>nginx</body></html>';
    proxy.fail({ status: 502, headers: { 'Content-Type': 'text/html' }, body });
    const error = await thrownBy(client.documents.list({}, { maxRetries: 0 }));
    expect(error).toBeInstanceOf(InternalError);
    expect(error).toMatchObject({ code: 'INTERNAL_ERROR', status: 502, details: {} });
    expect((error as Error).message).toBe('HTTP 502 Bad Gateway: Bad Gateway nginx');
    proxy.fail({ status: 403 });
    expect(await thrownBy(client.documents.list())).toBeInstanceOf(ForbiddenError);
  });

  it('an error of the client says so if something other than the service responds', async () => {
    const headers = { 'Content-Type': 'text/html' };
    proxy.fail({ status: 200, headers, body: '<html>Sign in</html>' });
    const error = await thrownBy(client.documents.list());
    expect(error).toBeInstanceOf(ConnectionError);
    expect((error as Error).message).toMatch(/text\/html.*baseUrl/);
  });
});

describe('a request that fails for a while', () => {
  const create = () => client.documents.create({ title: 'once' });

  it.each([
    ['a lost connection', 'reset'],
    ['a lost response', 'lose-answer'],
    ['half a response', 'cut-answer'],
    ['502', { status: 502 }],
    ['503', { status: 503 }],
    ['504', { status: 504 }],
  ] as const)(
    'a request that fails for a while is retried with the same idempotency key after %s, and takes effect once',
    async (_, fault) => {
      const before = (await client.documents.list()).pagination.total;
      proxy.fail(fault, fault);
      const made = await create();
      expect(made.title).toBe('once');
      const keys = proxy.seen.map(({ headers }) => headers['idempotency-key']);
      expect(keys).toHaveLength(3);
      expect(new Set(keys).size).toBe(1);
      expect((await client.documents.list()).pagination.total).toBe(before + 1);
    },
  );

  it('a request that fails for a while has a new key each time, or the given one', async () => {
    await create();
    await create();
    await client.documents.create({ title: 'x' }, { idempotencyKey: 'mine' });
    const [one, other, given] = proxy.seen.map(({ headers }) => headers['idempotency-key']);
    expect(one).not.toBe(other);
    expect(given).toBe('mine');
  });

  it.each([
    ['seconds', () => '1'],
    ['a date', () => new Date(Date.now() + 2_000).toUTCString()],
  ])(
    'a request that fails for a while waits as long as Retry-After says as %s',
    async (_, value) => {
      proxy.fail({ status: 429, headers: { 'Retry-After': value() } });
      await client.documents.list();
      const [first, second] = proxy.seen;
      expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(990);
    },
  );

  it('a request that fails for a while fails after maxRetries, and is never repeated if that is 0', async () => {
    const down = { status: 503 };
    proxy.fail(down, down, down, down);
    const error = await thrownBy(client.documents.list({}, { maxRetries: 1 }));
    expect(error).toBeInstanceOf(InternalError);
    expect(error).toMatchObject({ attempts: 2, uncertain: true });
    proxy.fail('reset');
    const lost = await thrownBy(client.documents.list({}, { maxRetries: 0 }));
    expect(lost).toBeInstanceOf(ConnectionError);
    expect(lost).toMatchObject({ code: 'CONNECTION_ERROR', attempts: 1 });
  });

  it.each([400, 401, 403, 404, 409, 422, 500, 501])(
    'a request that fails for a while is not repeated after %d',
    async (status) => {
      proxy.fail({ status });
      expect(await thrownBy(create())).toMatchObject({ status, attempts: 1 });
    },
  );

  it('a request that fails for a while waits for the one that is still running with its key', async () => {
    proxy.fail({ status: 409, headers: { 'Retry-After': '0' } });
    expect((await create()).title).toBe('once');
  });

  it('a request that fails for a while ends in TimeoutError when every attempt takes too long', async () => {
    proxy.fail('stall', 'stall');
    const error = await thrownBy(client.documents.list({}, { timeoutMs: 50, maxRetries: 1 }));
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ code: 'TIMEOUT', attempts: 2 });
  });

  it('a request that fails for a while ends immediately on its signal, during an attempt and between two', async () => {
    const reason = new Error('enough');
    for (const fault of ['stall', { status: 429, headers: { 'Retry-After': '30' } }] as const) {
      proxy.fail(fault);
      const controller = new AbortController();
      const thrown = thrownBy(client.documents.list({}, { signal: controller.signal }));
      while (proxy.seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
      controller.abort(reason);
      expect(await thrown).toBe(reason);
    }
    expect(await thrownBy(client.documents.list({}, { signal: AbortSignal.abort(reason) }))).toBe(
      reason,
    );
  });

  it('a request that fails for a while uploads the same bytes again', async () => {
    proxy.fail('lose-answer', 'reset');
    const made = await client.documents.import({ file: '# Once\n', fileName: 'once.md' });
    expect(made.title).toBe('Once');
    expect(proxy.seen).toHaveLength(3);
  });
});

describe('documents.update', () => {
  const append = (text: string) => (document: { content: string }) => ({
    content: document.content + text,
  });

  it('documents.update repeats the change on top of what another writer has left', async () => {
    const { id } = await client.documents.create({ title: 'x', content: '0' });
    let calls = 0;
    const changed = await client.documents.update(id, async ({ content }) => {
      calls += 1;
      if (calls < 3) await client.documents.update(id, append('o'));
      return { content: `${content}m` };
    });
    expect(changed).toMatchObject({ content: '0oom', version: 4 });
  });

  it('documents.update loses no change of many writers', async () => {
    const { id } = await client.documents.create({ title: 'x', content: '' });
    const writers = Array.from({ length: 8 }, (_, index) =>
      client.documents.update(id, append(String(index)), { retryOnConflict: 50 }),
    );
    await Promise.all(writers);
    const { content } = await client.documents.get(id);
    expect(Array.from(content).sort().join('')).toBe('01234567');
  });

  it('documents.update applies an object again to the current version on request', async () => {
    const { id } = await client.documents.create({ title: 'x', content: 'c' });
    await client.documents.update(id, { content: 'other' });
    const options = { ifMatch: 1, retryOnConflict: true };
    const changed = await client.documents.update(id, { title: 'mine' }, options);
    expect(changed).toMatchObject({ title: 'mine', content: 'other', version: 3 });
  });

  it('documents.update fails with the conflict after the given number of attempts', async () => {
    const { id } = await client.documents.create({ title: 'x' });
    const hindered = client.documents.update(
      id,
      async () => {
        await client.documents.update(id, append('!'));
        return { title: 'never' };
      },
      { retryOnConflict: 2 },
    );
    expect(await thrownBy(hindered)).toBeInstanceOf(ConflictError);
    expect(await client.documents.get(id)).toMatchObject({ title: 'x', version: 4 });
  });

  it('documents.update writes a change once if its response is lost', async () => {
    const { id } = await client.documents.create({ title: 'x', content: 'a' });
    proxy.fail('forward', 'lose-answer');
    expect(await client.documents.update(id, append('b'))).toMatchObject({ content: 'ab' });
    proxy.fail('lose-answer');
    const title = { title: 'y' };
    expect(await client.documents.update(id, title, { ifMatch: 2 })).toMatchObject({ version: 3 });
  });

  it('documents.update writes nothing when the function returns nothing', async () => {
    const { id } = await client.documents.create({ title: 'x' });
    expect(await client.documents.update(id, () => undefined)).toMatchObject({ version: 1 });
  });
});

describe('events.follow', () => {
  it('events.follow returns every event in order with its cursor, across lost connections and failures', async () => {
    const { key: own } = await app.account();
    const here = clientWith({ apiKey: own });
    const controller = new AbortController();
    const seen: { title: string; cursor: string }[] = [];
    const cursors: string[] = [];
    const following = (async () => {
      const options = {
        types: ['document.created'],
        signal: controller.signal,
        limit: 2,
        pollMs: 10,
        maxPollMs: 20,
        onCursor: (cursor: string) => void cursors.push(cursor),
      };
      for await (const event of here.events.follow(options)) {
        const { id } = (event.data as { document: { id: string } }).document;
        seen.push({ title: (await here.documents.get(id)).title, cursor: event.cursor });
      }
    })();
    const until = async (length: number) => {
      while (seen.length < length) await new Promise((resolve) => setTimeout(resolve, 10));
    };
    await here.documents.create({ title: '0' });
    await until(1);
    proxy.cut();
    for (const title of ['1', '2', '3']) await here.documents.create({ title });
    await until(4);
    const [first] = seen;
    await here.documents.create({ title: '4' });
    await until(5);
    const reason = new Error('enough');
    controller.abort(reason);
    await following;
    expect(seen.map(({ title }) => title)).toEqual(['0', '1', '2', '3', '4']);
    expect(cursors.length).toBeGreaterThan(0);
    for (const [after, rest] of [
      [first?.cursor, 4],
      [seen[1]?.cursor, 3],
    ] as const) {
      let count = 0;
      for await (const event of here.events.follow({ after, types: ['document.created'] })) {
        expect(event.type).toBe('document.created');
        if ((count += 1) === rest) break;
      }
      expect(count).toBe(rest);
    }
  });

  it.each(['follow', 'stream'] as const)(
    'events.follow ends without an error on its signal: aborted before, during a request, and during a wait (%s)',
    async (method) => {
      const { key: own } = await app.account();
      const count = async (client: DocumentService, signal: AbortSignal) => {
        const events: unknown[] = [];
        for await (const event of client.events[method]({ signal, lastEventId: 'evt_1' })) {
          events.push(event);
        }
        return events.length;
      };
      expect(await count(clientWith({ apiKey: own }), AbortSignal.abort())).toBe(0);
      const request = new AbortController();
      const hanging = clientWith({
        apiKey: own,
        fetch: (_, init) =>
          new Promise((_resolve, reject) => {
            init?.signal?.addEventListener('abort', () => {
              reject(init.signal?.reason as Error);
            });
            request.abort(new Error('enough'));
          }),
      });
      expect(await count(hanging, request.signal)).toBe(0);
      const wait = new AbortController();
      const refused = clientWith({
        apiKey: own,
        maxRetries: 0,
        fetch: () => {
          setImmediate(() => {
            wait.abort();
          });
          return Promise.reject(new TypeError('no connection'));
        },
      });
      expect(await count(refused, wait.signal)).toBe(0);
    },
  );

  it('events.follow throws its own errors while it has a signal', async () => {
    const here = clientWith({ apiKey: 'ds_live_wrong' });
    const { signal } = new AbortController();
    for (const method of ['follow', 'stream'] as const) {
      const thrown = await thrownBy(here.events[method]({ signal }).next());
      expect(thrown).toMatchObject({ name: 'UnauthorizedError' });
    }
  });

  it('events.follow returns the same as a list with after, from page to page', async () => {
    const { key: own } = await app.account();
    const here = clientWith({ apiKey: own });
    for (const title of ['a', 'b', 'c', 'd', 'e']) await here.documents.create({ title });
    const all = await here.events.list({ order: 'asc' }).toArray();
    const listed = await here.events.list({ after: 'start', limit: 2 }).toArray();
    expect(listed.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
  });

  it('events.follow waits for Retry-After when the account has used up its requests', async () => {
    const { key: own } = await app.account({ plan: 'free' });
    const here = clientWith({ apiKey: own, maxRetries: 0 });
    await here.documents.create({ title: 'Limited' });
    for (let n = 0; n < 9; n += 1) await here.usage.get();
    const refused = await thrownBy(here.usage.get());
    expect(refused).toBeInstanceOf(RateLimitError);
    const signal = AbortSignal.timeout(300);
    const before = proxy.seen.length;
    const next = here.events.follow({ signal }).next();
    expect(await next).toEqual({ done: true, value: undefined });
    // It was refused once and waited. It did not send another request.
    expect(proxy.seen.length - before).toBe(1);
  });

  it('events.follow throws an error with the oldest cursor when later events are gone', async () => {
    const { key: own } = await app.account();
    const here = clientWith({ apiKey: own });
    await here.documents.create({ title: 'Kept' });
    const lost = 'evt_01h455vb4pex5vsknk084sn02q';
    for (const work of [
      here.events.follow({ after: lost }).next(),
      here.events.stream({ lastEventId: lost }).next(),
    ]) {
      const error = await thrownBy(work);
      expect(error).toBeInstanceOf(ExpiredCursorError);
      expect(error).toBeInstanceOf(InvalidRequestError);
      const after = (error as ExpiredCursorError).oldestCursor;
      const { value } = await here.events.follow({ after }).next();
      expect(value?.type).toBe('document.created');
    }
    const wrong = await thrownBy(here.events.follow({ after: 'x' }).next());
    expect(wrong).toBeInstanceOf(InvalidRequestError);
    expect(wrong).not.toBeInstanceOf(ExpiredCursorError);
  });
});

describe('events.stream', () => {
  it('events.stream returns each event once and in order, across lost connections', async () => {
    const { key: own } = await app.account();
    const here = clientWith({ apiKey: own });
    const seen: string[] = [];
    const controller = new AbortController();
    const reading = (async () => {
      const events = here.events.stream({ types: ['document.*'], signal: controller.signal });
      for await (const event of events) {
        if (event.type !== 'document.created') continue;
        seen.push((event.data.document as { title: string }).title);
      }
    })();
    const opened = async (times: number) => {
      const count = () => proxy.seen.filter(({ path }) => path.includes('/stream')).length;
      while (count() < times) await new Promise((resolve) => setTimeout(resolve, 10));
    };
    const until = async (length: number) => {
      while (seen.length < length) await new Promise((resolve) => setTimeout(resolve, 10));
    };
    await opened(1);
    // The first event happens while there is no connection, in an account without events.
    proxy.cut();
    await here.documents.create({ title: '0' });
    await until(1);
    await opened(2);
    await here.documents.create({ title: '1' });
    await until(2);
    proxy.cut();
    for (const title of ['2', '3']) await here.documents.create({ title });
    await opened(3);
    await until(4);
    const reason = new Error('enough');
    controller.abort(reason);
    await reading;
    expect(seen).toEqual(['0', '1', '2', '3']);
  });

  it('events.stream returns events committed after it started, even if a later one was committed before', async () => {
    const { key: own, accountId } = await app.account();
    const here = clientWith({ apiKey: own });
    const late = newUuid();
    const session = app.dataSource.createQueryRunner();
    await session.startTransaction();
    await session.query(
      `INSERT INTO events (id, account_id, type, full_body, thin_body, created_at)
       VALUES ($1, $2, 'document.updated', $3, '{}', now())`,
      [late, accountId, JSON.stringify({ id: encodeId('event', late) })],
    );
    await here.documents.create({ title: 'Committed first' });
    const before = proxy.seen.length;
    const next = here.events.stream().next();
    while (!proxy.seen.slice(before).some(({ path }) => path.includes('/stream'))) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await session.commitTransaction();
    await session.release();
    expect((await next).value?.id).toBe(encodeId('event', late));
  });

  it('events.stream starts after the given event, and ends when the loop ends', async () => {
    const { key: own } = await app.account();
    const here = clientWith({ apiKey: own });
    for (const title of ['a', 'b', 'c']) await here.documents.create({ title });
    const [first] = await here.events.list({ order: 'asc' }).toArray();
    const ids: string[] = [];
    for await (const { id } of here.events.stream({ lastEventId: first?.id })) {
      if (ids.push(id) === 2) break;
    }
    const all = await here.events.list({ order: 'asc' }).toArray();
    expect(ids).toEqual(all.slice(1).map(({ id }) => id));
  });

  it('events.stream throws errors that a retry cannot fix', async () => {
    const { key: reader } = await app.account({ scopes: ['documents:read'] });
    const stream = clientWith({ apiKey: reader }).events.stream({ lastEventId: 'evt_1' });
    expect(await thrownBy(stream.next())).toBeInstanceOf(ForbiddenError);
  });
});
