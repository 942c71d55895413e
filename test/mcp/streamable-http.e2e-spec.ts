import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { request } from 'undici';
import { encodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { AnalysisProviders } from '../../src/features/analysis/providers/analysis-providers.js';
import { WordListProvider } from '../analysis/word-list-provider.js';
import { startTestApp, type TestApp } from '../support/app.js';
import type { AccountOptions } from '../support/accounts.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { McpTestClient } from '../support/mcp-client.js';
import { callOf, LIST, sendMessage } from './messages.js';
import { LETTER, worksWithDocuments } from './tools-workflow.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({
    environment: {
      PROCESS_ROLE: 'all',
      TRUST_PROXY: 'loopback',
      CORS_ORIGINS: 'https://app.example.com',
    },
    overrides: [[AnalysisProviders, new WordListProvider()]],
    runTasks: true,
  });
});
afterAll(() => app.close());

async function connectWith(key: string, more: Record<string, string> = {}): Promise<McpTestClient> {
  const headers = { authorization: `Bearer ${key}`, ...more };
  const url = new URL(`${app.origin}/mcp`);
  return McpTestClient.connect(
    new StreamableHTTPClientTransport(url, { requestInit: { headers } }),
  );
}

async function clientOf(options: AccountOptions = {}) {
  const account = await app.account(options);
  return { ...account, mcp: await connectWith(account.key) };
}

const send = sendMessage(() => app.origin);

describe('the tools over Streamable HTTP', () => {
  let mcp: McpTestClient;
  beforeAll(async () => {
    const { api, key } = await app.account();
    await api.send('POST', '/v1/templates', { body: LETTER });
    mcp = await connectWith(key);
  });
  afterAll(() => mcp.close());

  worksWithDocuments(() => mcp);

  it('the tools over Streamable HTTP return a few KB of a long document, and more on request', async () => {
    const part = 'Wörter 👍 und mehr davon.\n'.repeat(400);
    const content = `# One\n\n${part}\n## Two\n\n${part}\n# Three\n\nThe end.\n`;
    const { document } = await mcp.call('create_document', { title: 'Long', content });
    const { id } = document;
    const read = await mcp.call('read_document', { id });
    expect(read.to).toBeLessThanOrEqual(4_000);
    expect(read).toMatchObject({ characters: content.length, outline: expect.any(Array) });
    const headings = (read.outline as { heading: string }[]).map(({ heading }) => heading);
    expect(headings).toEqual(['One', 'Two', 'Three']);
    expect(read.next).toContain(`from: ${String(read.to)}`);
    let [text, from] = ['', 0];
    while (from < content.length) {
      const more = await mcp.call('read_document', { id, from });
      [text, from] = [text + (more.text as string), more.to as number];
    }
    expect(text).toBe(content);
    const three = await mcp.call('read_document', { id, section: 'three' });
    expect(three.text).toBe('# Three\n\nThe end.\n');
    expect((await mcp.call('read_document', { id, detail: 'full' })).text).toBe(content);
  });

  it('the tools over Streamable HTTP return lists in pages, whose cursor leads on', async () => {
    const { mcp: own, api } = await clientOf();
    for (const title of ['1', '2', '3']) await api.createDocument({ title });
    const first = await own.call('list_documents', { limit: 2 });
    expect(first).toMatchObject({ total: 3, next: expect.stringContaining('cursor') });
    const second = await own.call('list_documents', { limit: 2, cursor: first.nextCursor });
    const documents = [...first.documents, ...second.documents] as { title: string }[];
    const titles = documents.map(({ title }) => title);
    expect(titles).toEqual(['3', '2', '1']);
    expect(second.nextCursor).toBeUndefined();
  });

  it('the tools over Streamable HTTP create nothing twice when a call is repeated with its idempotencyKey', async () => {
    const args = { title: 'Once', idempotencyKey: 'k1' };
    const made = await mcp.call('create_document', args);
    expect((await mcp.call('create_document', args)).document.id).toBe(made.document.id);
  });

  it('the tools over Streamable HTTP create nothing with an idempotencyKey that cannot be a header, and say why', async () => {
    for (const idempotencyKey of [
      'a\rb',
      'a\nb',
      'a\r\nx-evil: 1',
      '\u20ac',
      '\u00e9',
      ' ',
      ' a',
    ]) {
      const message = await mcp.refusal('create_document', { title: 'Never', idempotencyKey });
      expect(message).toMatch(/^idempotencyKey: must consist of printable ASCII .* Correct this/);
    }
    for (const id of [
      '..',
      'doc_1/../x',
      'doc_%00',
      'doc_1?x',
      'doc_01h455vb4pex5vsknk084sn02q\n',
    ]) {
      expect(await mcp.refusal('read_document', { id })).toMatch(
        /^id: must be the id of a document/,
      );
    }
    const { documents } = (await mcp.call('list_documents', {})) as {
      documents: { title: string }[];
    };
    expect(documents.map(({ title }) => title)).not.toContain('Never');
  });

  it('the tools over Streamable HTTP list the allowed states when a transition is not allowed', async () => {
    const { document } = await mcp.call('create_document', { title: 'State' });
    const args = { id: document.id, version: 1, status: 'archived' };
    await mcp.call('edit_document', args);
    const publish = { id: document.id, version: 2, status: 'published' };
    expect(await mcp.refusal('edit_document', publish)).toMatch(/Allowed from here: draft\./);
  });
});

describe('a key at /mcp', () => {
  it('a key at /mcp does with tools what its scopes allow, and learns which one is missing', async () => {
    const { mcp } = await clientOf({ scopes: ['documents:read'] });
    await mcp.call('list_documents');
    const refused = await mcp.refusal('create_document', { title: 'x' });
    expect(refused).toMatch(/needs a key with the scope documents:write/);
  });

  it('a key at /mcp that may read and suggest sees only the tools for that, and proposes', async () => {
    const account = await app.account();
    const { key } = await app.anotherKey(account, {
      scopes: ['documents:read', 'documents:suggest'],
    });
    const mcp = await connectWith(key);
    const { tools } = await mcp.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'search_documents',
      'list_documents',
      'list_collections',
      'read_document',
      'propose_edit',
      'check_publication',
      'list_versions',
      'diff_versions',
      'list_suggestions',
      'whoami',
    ]);
    const content = 'Revenue grew by 12 %. Costs fell.';
    const made = await account.api.createDocument({ title: 'Report', content });
    const { id } = expectSuccess(made, 201) as { id: string };
    const wrong = { id, edits: [{ quote: 'Revenue grew by 15 %', replacement: 'x' }] };
    expect(await mcp.refusal('propose_edit', wrong)).toMatch(
      /does not occur in the base version\. The text near edits\[0\]\.quote is: "Revenue grew by 12 %\. Costs fell\."/,
    );
    const edits = [{ quote: '12 %', replacement: '13 %', message: 'The final figure.' }];
    const proposed = await mcp.call('propose_edit', {
      ...{ id, edits, title: 'Final report', version: 1, message: 'Figures' },
    });
    expect(proposed).toMatchObject({ version: 1, open: 2 });
    expect(await mcp.refusal('propose_edit', { id, edits })).toMatch(
      /Nothing is left to propose \(1 already proposed\)/,
    );
    const listed = await mcp.call('list_suggestions', { id });
    expect(listed).toMatchObject({
      enhancementId: proposed.proposalId,
      status: 'proposed',
      suggestions: [{ original: '12 %' }],
      fieldChanges: [{ field: 'title', from: 'Report', to: 'Final report' }],
    });
    await account.api.applySuggestions(id, proposed.proposalId as string, { suggestionIds: 'all' });
    expect(await mcp.call('read_document', { id })).toMatchObject({
      document: { version: 2 },
    });
  });

  it('a key at /mcp sees nothing of another account', async () => {
    const { api } = await app.account();
    const { id } = expectSuccess(await api.createDocument({ title: 'Mine' }), 201) as any;
    const { mcp } = await clientOf();
    expect(await mcp.refusal('read_document', { id })).toMatch(/search_documents/);
    const edit = { id, version: 1, title: 'Yours' };
    expect(await mcp.refusal('edit_document', edit)).toMatch(/search_documents/);
    await expect(mcp.client.readResource({ uri: `document://${id}` })).rejects.toThrow();
    expect(await mcp.call('list_documents')).toMatchObject({ total: 0 });
  });

  it('a key at /mcp can identify itself', async () => {
    const { mcp, keyId } = await clientOf({ scopes: ['documents:read'] });
    expect(await mcp.call('whoami')).toMatchObject({
      key: { id: encodeId('key', keyId) },
      scopes: ['documents:read'],
      account: { plan: 'enterprise' },
    });
  });

  it('a key at /mcp is required, and refused if it is wrong or revoked', async () => {
    for (const key of [undefined, 'ds_live_wrong']) {
      const refused = await send(key, LIST);
      expect(refused).toMatchObject({ status: 401, body: { jsonrpc: '2.0', id: null } });
      expect(refused.headers['www-authenticate']).toMatch(/^Bearer/);
    }
    const { mcp, api, keyId } = await clientOf();
    await api.send('DELETE', `/v1/keys/${encodeId('key', keyId)}`);
    await expect(mcp.call('list_documents')).rejects.toThrow(/revoked/);
  });

  it('a key at /mcp counts against its plan: each message is one request, including the request of its tool', async () => {
    const { key } = await app.account({ plan: 'free' });
    for (let left = 9; left >= 4; left -= 1) {
      const listed = await send(key, LIST);
      expect(listed.headers['x-ratelimit-remaining']).toBe(String(left));
    }
    // Each tool call sends one request to the API and counts once.
    for (let left = 3; left >= 1; left -= 1) {
      const called = await send(key, callOf('list_documents', {}));
      expect(called.body.result.structuredContent.total).toBe(0);
      expect(called.headers['x-ratelimit-remaining']).toBe(String(left));
    }
    const { key: reader } = await app.account({ plan: 'free' });
    const made = await send(reader, callOf('create_document', { title: 'x', content: '# A\n' }));
    const { id } = made.body.result.structuredContent.document;
    for (let used = 1; used < 9; used += 1) await send(reader, LIST);
    // The last request reads the document, so none is left for the change.
    const edits = [{ op: 'append_to_section', heading: 'A', text: 'b' }];
    const { body } = await send(reader, callOf('edit_document', { id, version: 1, edits }));
    expect(body.result).toMatchObject({ isError: true });
    expect(body.result.content[0].text).toMatch(/Wait \d+ seconds?, then call edit_document again/);
    const refused = await send(reader, LIST);
    expect(refused).toMatchObject({ status: 429, body: { jsonrpc: '2.0' } });
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
    expect(refused.body.error.data).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
  });

  it('a key at /mcp works only from its allowed addresses, even behind a trusted proxy', async () => {
    const { key } = await app.account({ allowedIps: ['192.0.2.7'] });
    expect((await send(key, LIST)).status).toBe(401);
    const mcp = await connectWith(key, { 'x-forwarded-for': '192.0.2.7' });
    expect(await mcp.call('list_documents')).toMatchObject({ total: 0 });
  });

  it('a key at /mcp is in the request log for each message and each request of a tool', async () => {
    const { mcp, api } = await clientOf();
    await mcp.call('create_document', { title: 'Logged' });
    const routes = await eventually(
      async () => {
        const logged = expectSuccess(await api.send('GET', '/v1/requests?method=POST')) as any[];
        return new Set(logged.map(({ route }) => route as string));
      },
      (seen) => seen.has('/mcp') && seen.has('/v1/documents'),
    );
    expect(routes).toEqual(new Set(['/mcp', '/v1/documents']));
  });
});

describe('/mcp', () => {
  let key: string;
  beforeAll(async () => {
    ({ key } = await app.account());
  });

  it('/mcp accepts messages only by POST', async () => {
    for (const method of ['GET', 'DELETE', 'PUT'] as const) {
      const response = await request(`${app.origin}/mcp`, { method });
      expect(response.statusCode).toBe(405);
      expect(response.headers['allow']).toBe('POST');
      await response.body.dump();
    }
  });

  it('/mcp refuses pages from origins that CORS_ORIGINS does not list', async () => {
    const foreign = ['http://evil.example', 'null', app.origin];
    for (const origin of foreign) expect((await send(key, LIST, { origin })).status).toBe(403);
    expect((await send(key, LIST, { origin: 'https://app.example.com' })).status).toBe(200);
  });

  it('/mcp needs no session, and ignores one', async () => {
    expect((await send(key, LIST, { 'mcp-session-id': 'x' })).body.result.tools).toHaveLength(27);
    const notified = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect(await send(key, notified)).toMatchObject({ status: 202, body: undefined });
  });

  it('/mcp reports what is wrong with an unreadable message', async () => {
    const deep = '['.repeat(5_000) + ']'.repeat(5_000);
    const cases: [unknown, number, Record<string, string>?][] = [
      ['{"jsonrpc"', 400],
      [[LIST, LIST], 400],
      [{ jsonrpc: '2.0', id: 1, method: 5 }, 400],
      [`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${deep}}`, 400],
      [LIST, 400, { 'mcp-protocol-version': '1999-01-01' }],
      [LIST, 400, { 'idempotency-key': 'x' }],
      [LIST, 415, { 'content-type': 'text/plain' }],
      [LIST, 406, { accept: 'text/html' }],
      [`{"a":"${'x'.repeat(8 * 1024 ** 2)}"}`, 413],
    ];
    for (const [body, status, headers] of cases) {
      const refused = await send(key, body, headers);
      expect(refused).toMatchObject({ status, body: { jsonrpc: '2.0', id: null } });
      expect(refused.body.error.message).toMatch(/\w/);
    }
  });

  it('/mcp reports what is wrong with arguments, and which tool was meant', async () => {
    const mcp = await connectWith(key);
    const refusals: [string, Record<string, unknown>, RegExp][] = [
      ['create_document', {}, /title is missing.*call create_document again/],
      ['create_document', { titel: 'x', title: 'x' }, /titel .*did you mean 'title'/],
      ['create_document', { title: ' ' }, /title.*call create_document again/],
      ['read_document', { id: '../keys' }, /id: must be the id of a document/],
      ['list_documents', { cursor: 'x' }, /cursor/],
      ['edit_document', { id: `doc_0${'1'.repeat(25)}`, version: 1 }, /nothing to change/],
      ['read_documents', {}, /Did you mean read_document\?/],
      ['__proto__', {}, /no tool/],
      ['constructor', {}, /no tool/],
    ];
    for (const [tool, args, words] of refusals) {
      expect(await mcp.refusal(tool, args)).toMatch(words);
    }
  });
});
