import { HOSTILE_TEXTS } from '../documents/hostile-texts.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';

/** UTF-8 bytes up to which a content stands in an event. */
const SHOWN = 256 * 1024;

let app: TestApp;
let api: ApiClient;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  ({ api } = await app.account());
});

interface Told {
  type: string;
  document: string;
}

/** The events of the account in full, oldest first, their documents as JSON text. */
async function told(): Promise<Told[]> {
  const { body } = await api.listEvents({ order: 'asc', limit: 100 });
  const ids = (body.data as { id: string }[]).map(({ id }) => id);
  const events = await Promise.all(ids.map((id) => api.readEvent(id)));
  return events.map((event) => {
    const { type, data } = event.body.data as { type: string; data: { document: object } };
    return { type, document: JSON.stringify(data.document) };
  });
}

const documentOf = ({ body }: ApiResponse): string => {
  if (!body.success) throw new Error(JSON.stringify(body.error).slice(0, 500));
  return JSON.stringify(body.data);
};
const idOf = (answer: ApiResponse): string => (answer.body.data as { id: string }).id;

describe.each(Object.entries(HOSTILE_TEXTS).filter(([, text]) => Buffer.byteLength(text) <= SHOWN))(
  'Events with the content: %s',
  (_, text) => {
    it('show the document as the answer to its change did', async () => {
      const created = await api.createDocument({ title: 'One', content: text });
      const id = idOf(created);
      const renamed = await api.patchDocument(id, { title: 'Two' });
      const emptied = await api.patchDocument(id, { content: '' });
      const filled = await api.patchDocument(id, { content: text });
      await api.deleteDocument(id);
      const restored = await api.restoreDocument(id);
      expect(await told()).toEqual([
        { type: 'document.created', document: documentOf(created) },
        { type: 'document.updated', document: documentOf(renamed) },
        { type: 'document.updated', document: documentOf(emptied) },
        { type: 'document.updated', document: documentOf(filled) },
        { type: 'document.deleted', document: documentOf(filled) },
        { type: 'document.restored', document: documentOf(restored) },
      ]);
    });
  },
);

describe('Events of documents', () => {
  it('made together show each its own content', async () => {
    const texts = Object.values(HOSTILE_TEXTS).filter((text) => text.length < 1_000);
    const answers = await Promise.all(
      texts.map((content) => api.createDocument({ title: 'Many', content })),
    );
    const shown = (await told()).map(({ document }) => document);
    expect(shown.toSorted()).toEqual(answers.map(documentOf).toSorted());
  });

  it.each([
    ['a content of 256 KiB', SHOWN, true],
    ['no content of one byte more', SHOWN + 1, false],
  ])('show %s', async (_, bytes, isShown) => {
    const created = await api.createDocument({ title: 'Long', content: 'x'.repeat(bytes) });
    await api.patchDocument(idOf(created), { title: 'Longer' });
    const lengths = (await told()).map(
      ({ document }) => (JSON.parse(document) as { content?: string }).content?.length,
    );
    expect(lengths).toEqual(isShown ? [bytes, bytes] : [undefined, undefined]);
  });
});
