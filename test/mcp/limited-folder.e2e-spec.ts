import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { encodeId, newUuid } from '../../src/platform/basics/identifiers/identifiers.js';
import { LIMITABLE_SCOPES } from '../../src/features/auth/scopes.js';
import { newCollection, setAccess, type Collection } from '../collections/collections-api.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';
import { McpTestClient } from '../support/mcp-client.js';

let app: TestApp;
let owner: ApiClient;
let mcp: McpTestClient;
let folder: Collection;
let inner: Collection;
let elsewhere: Collection;
let visible: string;
/** In another collection, at the root, and in the trash of another collection. */
let hidden: { id: string; isDeleted: boolean }[];
let enhancementId: string;
let templateId: string;

const SECRET = 'Zanzibar';

async function created(body: object): Promise<string> {
  return (expectSuccess(await owner.createDocument(body), 201) as { id: string }).id;
}

beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'all' }, runTasks: true });
  ({ api: owner } = await app.account());
  folder = await newCollection(owner, 'Folder');
  inner = await newCollection(owner, 'Inner', folder.id);
  elsewhere = await newCollection(owner, SECRET);
  await setAccess(owner, elsewhere, { everyone: null, people: [] });
  visible = await created({ title: 'Visible', content: 'seen', collectionId: inner.id });
  const content = `${SECRET} and seen`;
  const [other, atRoot, deleted] = [
    await created({ title: SECRET, content, collectionId: elsewhere.id }),
    await created({ title: SECRET, content }),
    await created({ title: SECRET, content, collectionId: elsewhere.id }),
  ];
  expectSuccess(await owner.deleteDocument(deleted));
  hidden = [
    { id: other, isDeleted: false },
    { id: atRoot, isDeleted: false },
    { id: deleted, isDeleted: true },
  ];
  const proposed = await owner.send('POST', `/v1/documents/${other}/proposals`, {
    body: { title: 'Proposed', message: SECRET },
  });
  enhancementId = (expectSuccess(proposed, 201) as { id: string }).id;
  const template = await owner.send('POST', '/v1/templates', {
    body: { name: 'Letter', title: 't' },
  });
  templateId = (expectSuccess(template, 201) as { id: string }).id;
  const key = await owner.send('POST', '/v1/keys', {
    body: { name: 'Agent', scopes: LIMITABLE_SCOPES, collections: [folder.id] },
  });
  const headers = { authorization: `Bearer ${(expectSuccess(key, 201) as { key: string }).key}` };
  mcp = await McpTestClient.connect(
    new StreamableHTTPClientTransport(new URL(`${app.origin}/mcp`), { requestInit: { headers } }),
  );
});
afterAll(async () => {
  await mcp.close();
  await app.close();
});

/** For each tool that takes the ID of a document, the other arguments. */
const OF_A_DOCUMENT: Readonly<Record<string, () => object>> = {
  read_document: () => ({}),
  copy_document: () => ({ collectionId: folder.id }),
  edit_document: () => ({ version: 1, title: 'Mine', collectionId: folder.id }),
  propose_edit: () => ({ title: 'Mine', message: 'm' }),
  check_publication: () => ({}),
  publish_document: () => ({}),
  unpublish_document: () => ({}),
  schedule_document: () => ({ publishAt: '2027-01-15T08:00:00Z' }),
  delete_document: () => ({}),
  restore_document: () => ({ collectionId: folder.id }),
  list_versions: () => ({}),
  diff_versions: () => ({ to: 1 }),
  restore_version: () => ({ number: 1, version: 1 }),
  analyze_document: () => ({}),
  suggest_improvements: () => ({}),
  list_suggestions: () => ({ enhancementId }),
  apply_suggestions: () => ({ enhancementId, suggestionIds: 'all' }),
  reject_suggestions: () => ({ enhancementId, suggestionIds: 'all' }),
};

/** For each tool that can put a document somewhere, the arguments without the place. */
const INTO_A_COLLECTION: Readonly<Record<string, () => object>> = {
  create_document: () => ({ title: 'New' }),
  create_document_from_template: () => ({ templateId, title: 'New' }),
  copy_document: () => ({ id: visible }),
  edit_document: () => ({ id: visible, version: 1 }),
};

async function expectNothingChanged(): Promise<void> {
  for (const { id, isDeleted } of hidden) {
    const read = await owner.readDocument(id);
    if (isDeleted) expect(read.status).toBe(404);
    else expect(expectSuccess(read)).toMatchObject({ title: SECRET, version: 1 });
  }
  const path = `/v1/documents/${hidden[0]?.id ?? ''}/enhancements/${enhancementId}`;
  expect(expectSuccess(await owner.send('GET', path))).toMatchObject({ status: 'proposed' });
}

/** Tools that show nothing of documents. */
const WITHOUT_DOCUMENTS = ['list_templates', 'read_template', 'whoami'];
const LISTS = ['search_documents', 'list_documents', 'list_collections'];

describe('an agent whose key is limited to one folder', () => {
  it('an agent whose key is limited to one folder has only tools that are in this test', async () => {
    const { tools } = await mcp.client.listTools();
    const tested = [OF_A_DOCUMENT, INTO_A_COLLECTION].flatMap(Object.keys);
    const known = new Set([...tested, ...WITHOUT_DOCUMENTS, ...LISTS]);
    expect(tools.map(({ name }) => name).sort()).toEqual([...known].sort());
  });

  it.each(Object.keys(OF_A_DOCUMENT))(
    'an agent whose key is limited to one folder gets from %s of a document elsewhere what it gets for an unknown one',
    async (tool) => {
      const unknown = encodeId('document', newUuid());
      const answerFor = async (id: string) => {
        const text = await mcp.refusal(tool, { id, ...OF_A_DOCUMENT[tool]?.() });
        expect(text).not.toContain(SECRET);
        return text.replaceAll(id, 'ID');
      };
      const expected = await answerFor(unknown);
      for (const { id } of hidden) expect(await answerFor(id)).toBe(expected);
      await expectNothingChanged();
    },
  );

  it.each(Object.keys(INTO_A_COLLECTION))(
    'an agent whose key is limited to one folder cannot put a document elsewhere with %s',
    async (tool) => {
      const unknown = encodeId('collection', newUuid());
      const answerFor = async (collectionId: string | null) => {
        const text = await mcp.refusal(tool, { ...INTO_A_COLLECTION[tool]?.(), collectionId });
        expect(text).not.toContain(SECRET);
        return text.replaceAll(String(collectionId), 'ID');
      };
      expect(await answerFor(elsewhere.id)).toBe(await answerFor(unknown));
      // The root.
      expect(await answerFor(null)).toContain('collectionId');
      await expectNothingChanged();
    },
  );

  it('an agent whose key is limited to one folder must say into which collection a new document goes', async () => {
    expect(await mcp.refusal('create_document', { title: 'New' })).toContain('collectionId');
  });

  it('an agent whose key is limited to one folder lists and finds only what is in it', async () => {
    const collections = await mcp.call('list_collections');
    expect(collections).toMatchObject({
      total: 2,
      collections: [
        { id: folder.id, path: 'Folder', parentId: null, right: 'manager', documents: 0 },
        { id: inner.id, path: 'Folder / Inner', parentId: folder.id, documents: 1 },
      ],
    });
    for (const args of [
      {},
      { collection: folder.id },
      { collection: [inner.id] },
      { ids: [visible, ...hidden.map(({ id }) => id)] },
    ]) {
      const { total, documents } = await mcp.call('list_documents', args);
      expect({ total, ids: (documents as { id: string }[]).map(({ id }) => id) }).toEqual({
        total: 1,
        ids: [visible],
      });
    }
    for (const args of [{ collection: 'root' }, { deleted: true }])
      expect(await mcp.call('list_documents', args)).toMatchObject({ total: 0, documents: [] });
    let found: { total: number; documents: { id: string }[] } | undefined;
    while (found?.total !== 1) found = await mcp.call('search_documents', { query: 'seen' });
    expect(found.documents).toMatchObject([{ id: visible, collectionId: inner.id }]);
    expect(await mcp.call('search_documents', { query: SECRET })).toMatchObject({ total: 0 });
  });

  it('an agent whose key is limited to one folder gets a filter by a collection elsewhere refused like an unknown one', async () => {
    const answerFor = async (collection: string) => {
      const result = await mcp.client.callTool({
        name: 'list_documents',
        arguments: { collection },
      });
      return JSON.stringify(result).replaceAll(collection, 'ID');
    };
    const unknown = encodeId('collection', newUuid());
    expect(await answerFor(elsewhere.id)).toBe(await answerFor(unknown));
  });

  it('an agent whose key is limited to one folder reads only its resources', async () => {
    const { resources } = await mcp.client.listResources();
    const documents = resources.filter(({ uri }) => uri.startsWith('document://'));
    expect(documents.map(({ uri }) => uri)).toEqual([`document://${visible}`]);
    for (const { id } of hidden)
      await expect(mcp.client.readResource({ uri: `document://${id}` })).rejects.toThrow(
        /No such document/,
      );
  });

  it('an agent whose key is limited to one folder creates, moves, finds and edits documents within it', async () => {
    const made = await mcp.call('create_document', { title: 'Mine', collectionId: folder.id });
    expect(made.document).toMatchObject({ collectionId: folder.id, version: 1 });
    const { id } = made.document as { id: string };
    const moved = await mcp.call('edit_document', { id, version: 1, collectionId: inner.id });
    expect(moved.document).toMatchObject({ collectionId: inner.id, version: 2 });
    const { document } = await mcp.call('copy_document', { id });
    expect(document).toMatchObject({ collectionId: inner.id });
    // Other tests count.
    for (const own of [id, document.id as string])
      expectSuccess(await owner.deleteDocument(own, { permanent: true }));
  });
});
