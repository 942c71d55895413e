import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { updateIndex } from '../documents/document-rows.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';
import { McpTestClient } from '../support/mcp-client.js';
import {
  acted,
  newDocument,
  patched,
  publishingAccount,
  type PublishedDocument,
} from '../publishing/publishing-api.js';

const SECRET = /secret/i;

let app: TestApp;
let account: Awaited<ReturnType<typeof publishingAccount>>;
let mcp: McpTestClient;
let reader: McpTestClient;
let edited: PublishedDocument;
let draft: PublishedDocument;
let templateId: string;

const connect = (key: string) =>
  McpTestClient.connect(
    new StreamableHTTPClientTransport(new URL(`${app.origin}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
  );

beforeAll(async () => {
  app = await startTestApp();
  account = await publishingAccount(app);
  const { api } = account;
  edited = await newDocument(api, { title: 'Shown', content: '# Shown\n\nThe quick fox.\n' });
  await acted(api, edited, 'publish');
  const changes = { title: 'Secret title', content: '# Secret\n\nThe secret badger.\n' };
  await patched(api, edited, { ...changes, metadata: { tags: ['secret'] } });
  draft = await newDocument(api, { title: 'Secret draft', content: 'A secret fox.' });
  const template = await api.send('POST', '/v1/templates', {
    body: { name: 'Secret letter', title: 't' },
  });
  templateId = (expectSuccess(template, 201) as { id: string }).id;
  await updateIndex(app);
  const { key } = await app.anotherKey(account, { scopes: ['documents:read_published'] });
  [mcp, reader] = await Promise.all([connect(account.key), connect(key)]);
});
afterAll(async () => {
  await Promise.all([mcp.close(), reader.close()]);
  await app.close();
});

describe('a connection that reads only published versions', () => {
  it('has only tools that read', async () => {
    const { tools } = await reader.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'search_documents',
      'list_documents',
      'read_document',
      'whoami',
    ]);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
  });

  it('reads, lists and finds what was published', async () => {
    const { id } = edited;
    const read = await reader.call('read_document', { id, detail: 'full' });
    expect(read).toMatchObject({
      document: { id, title: 'Shown', version: 2, publishedAt: expect.any(String) },
      text: '# Shown\n\nThe quick fox.\n',
      next: expect.stringContaining('This is the published version'),
    });
    expect(read.document).not.toHaveProperty('published');
    expect(await reader.call('list_documents')).toMatchObject({
      total: 1,
      documents: [{ id, title: 'Shown' }],
    });
    expect(await reader.call('search_documents', { query: 'fox' })).toMatchObject({ total: 1 });
    expect(await reader.call('search_documents', { query: 'badger' })).toMatchObject({ total: 0 });
    expect(await reader.call('list_documents', { tags: ['secret'] })).toMatchObject({ total: 0 });
    const { resources } = await reader.client.listResources();
    expect(resources).toMatchObject([{ uri: `document://${id}`, title: 'Shown' }]);
    const { contents } = await reader.client.readResource({ uri: `document://${id}` });
    expect(contents).toMatchObject([{ text: '# Shown\n\nThe quick fox.\n' }]);
  });

  it('gets no draft and no e-mail address from any tool or resource, and changes nothing', async () => {
    const { tools } = await mcp.client.listTools();
    const more: Record<string, object[]> = {
      search_documents: [{ query: 'secret' }, { query: 'fox', published: false, detail: 'full' }],
      list_documents: [
        { deleted: true },
        { detail: 'full' },
        { unpublishedChanges: true },
        { published: false },
        { status: 'draft' },
      ],
      read_document: [{ atVersion: 3 }, { published: false }, { detail: 'full' }],
      create_document: [{ title: 'New' }],
      create_document_from_template: [{ templateId, title: 'New' }],
      edit_document: [{ version: 3, title: 'Mine' }],
      propose_edit: [{ title: 'Mine', message: 'm' }],
      publish_document: [{ atVersion: 3 }],
      diff_versions: [{ to: 3 }],
      restore_version: [{ number: 3, version: 3 }],
      apply_suggestions: [
        { enhancementId: templateId.replace('tmpl', 'enh'), suggestionIds: 'all' },
      ],
      reject_suggestions: [
        { enhancementId: templateId.replace('tmpl', 'enh'), suggestionIds: 'all' },
      ],
      read_template: [{ id: templateId }],
    };
    const answers: string[] = [];
    for (const { name, inputSchema } of tools) {
      const takesId = Object.hasOwn(inputSchema.properties ?? {}, 'id') && name !== 'read_template';
      for (const { id } of takesId ? [edited, draft] : [{ id: undefined }]) {
        for (const args of more[name] ?? [{}]) {
          const call = { name, arguments: { ...(id && { id }), ...args } };
          answers.push(`${name}: ${JSON.stringify(await reader.client.callTool(call))}`);
        }
      }
    }
    expect(answers.length).toBeGreaterThan(tools.length);
    const uris = [`document://${draft.id}`, `template://${templateId}`];
    for (const uri of uris)
      await expect(reader.client.readResource({ uri })).rejects.toThrow(/No such|scope/);
    expect(answers.filter((text) => SECRET.test(text) || text.includes('@'))).toEqual([]);
    expect(answers.filter((text) => text.includes('internal error'))).toEqual([]);
    expect(expectSuccess(await account.api.readDocument(edited.id))).toMatchObject({
      version: 3,
      published: { version: 2, changed: true },
    });
    expect(expectSuccess(await account.api.readDocument(draft.id))).toMatchObject({ version: 1 });
  });

  it('stays limited if the key may also propose', async () => {
    const { key } = await app.anotherKey(account, {
      scopes: ['documents:read_published', 'documents:suggest'],
    });
    const proposer = await connect(key);
    const { id } = edited;
    expect(await proposer.call('read_document', { id })).toMatchObject({
      document: { title: 'Shown' },
    });
    await proposer.close();
  });
});

describe('a connection that writes', () => {
  it('publishes, reads the published version beside the draft, rolls back and unpublishes', async () => {
    const { document } = await mcp.call('create_document', { title: 'Plan', content: 'One.' });
    const { id } = document;
    const published = await mcp.call('publish_document', { id, version: 1 });
    expect(published).toMatchObject({
      document: { status: 'published', version: 2, published: { version: 2, changed: false } },
      next: expect.stringContaining('Readers get version 2.'),
    });
    await mcp.call('edit_document', {
      ...{ id, version: 2 },
      edits: [{ op: 'replace', find: 'One.', with: 'Two.' }],
    });
    expect(await mcp.call('read_document', { id })).toMatchObject({
      text: 'Two.',
      document: { published: { version: 2, changed: true } },
    });
    expect(await mcp.call('read_document', { id, published: true })).toMatchObject({
      text: 'One.',
      document: { version: 2 },
    });
    const both = { id, published: true, atVersion: 1 };
    expect(await mcp.refusal('read_document', both)).toMatch(/either atVersion or published/);
    const changed = await mcp.call('list_documents', { unpublishedChanges: true, ids: [id] });
    expect(changed).toMatchObject({ total: 1, documents: [{ published: { changed: true } }] });
    expect(await mcp.call('list_documents', { published: true, ids: [id] })).toMatchObject({
      documents: [{ excerpt: 'One.', publishedAt: expect.any(String) }],
    });
    await mcp.call('publish_document', { id });
    expect(await mcp.call('publish_document', { id, atVersion: 2 })).toMatchObject({
      document: { version: 3, published: { version: 2, changed: true } },
    });
    expect(await mcp.refusal('publish_document', { id, version: 1 })).toMatch(/version 3/);
    expect(await mcp.refusal('publish_document', { id, atVersion: 9 })).toMatch(/list_versions/);
    expect(await mcp.call('unpublish_document', { id })).toMatchObject({
      document: { status: 'draft' },
    });
    expect(await mcp.refusal('unpublish_document', { id })).toMatch(/no published version/);
    expect(await mcp.refusal('read_document', { id, published: true })).toMatch(/No such document/);
  });

  it('learns that publishing is off', async () => {
    const other = await app.account();
    const off = await connect(other.key);
    const { document } = await off.call('create_document', { title: 'Plan' });
    const refused = await off.refusal('publish_document', { id: document.id });
    expect(refused).toMatch(/^Publishing is off/);
    await off.close();
  });
});
