import { expectFailure, expectSuccess } from '../support/envelope.js';
import { startTestApp, type TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('creating a document', () => {
  it('creating a document returns 201 with the whole document, its location and its entity tag', async () => {
    const { api, user } = await app.account();
    const sent = {
      title: 'Quarterly report',
      type: 'report',
      content: '# Results\r\n\r\nRevenue grew by 12 %.',
      metadata: { tags: ['finance', 'q3'], department: 'Sales', project: 'Apollo' },
      aiSettings: { autoEnhance: true, suggestionLevel: 'moderate', language: 'en' },
    };
    const response = await api.createDocument(sent);
    const document = expectSuccess(response, 201) as { id: string };
    const now = app.clock.now().toISOString();
    expect(document).toEqual({
      id: expect.stringMatching(/^doc_[0-7][0-9a-hjkmnp-tv-z]{25}$/) as string,
      ...sent,
      status: 'draft',
      templateId: null,
      externalId: null,
      collectionId: null,
      wordCount: 5,
      version: 1,
      createdAt: now,
      updatedAt: now,
      createdBy: user,
      updatedBy: user,
    });
    expect(response.headers['location']).toBe(`/v1/documents/${document.id}`);
    expect(response.headers['etag']).toBe('"1"');
  });

  it('creating a document needs only a title and fills in the defaults', async () => {
    const { api } = await app.account();
    const document = expectSuccess(await api.createDocument({ title: 'Note' }), 201);
    expect(document).toMatchObject({
      type: 'document',
      content: '',
      status: 'draft',
      metadata: {},
      aiSettings: {},
      wordCount: 0,
    });
  });

  it('creating a document is read back byte for byte as it was returned', async () => {
    const { api } = await app.account();
    const created = await api.createDocument({
      title: ' “Ünïcode” 😀 ',
      content: 'a\tb\u0001\\ "c"\n\u2028d',
    });
    const { id } = created.body.data as { id: string };
    const read = await api.readDocument(id);
    expect(JSON.stringify(read.body.data)).toBe(JSON.stringify(created.body.data));
    expect(read.body.data).toMatchObject({
      title: ' “Ünïcode” 😀 ',
      content: 'a\tb\u0001\\ "c"\n\u2028d',
    });
  });

  it('creating a document reports a missing title, with field and issue', async () => {
    const { api } = await app.account();
    const response = await api.createDocument({ content: 'x' });
    expectFailure(response, 400, 'INVALID_REQUEST');
    expect(response.body.error.details).toEqual({
      field: 'title',
      issue: 'required field missing',
      problems: [{ field: 'title', issue: 'required field missing' }],
    });
  });

  it('creating a document reports every problem of a body at once, with the nearest known name of an unknown field', async () => {
    const { api } = await app.account();
    const response = await api.createDocument({
      title: '   ',
      type: 'novel',
      contents: 'x',
      content: 7,
      metadata: { tags: ['ok', 1, null], department: 3 },
      aiSettings: { autoEnhance: 'yes' },
    });
    expectFailure(response, 400, 'INVALID_REQUEST');
    const problems = response.body.error.details.problems as { field: string; issue: string }[];
    expect(problems.map(({ field }) => field)).toEqual([
      'title',
      'type',
      'content',
      'metadata.tags[1]',
      'metadata.tags[2]',
      'metadata.department',
      'aiSettings.autoEnhance',
      'contents',
    ]);
    expect(problems.at(-1)?.issue).toBe("is not a known field; did you mean 'content'?");
  });

  it.each([
    ['a title of 500 characters, counted as people do', { title: '😀'.repeat(500) }, 201],
    ['a null template, as answers have it', { title: 't', templateId: null }, 201],
    ['a title of 501 characters', { title: 'x'.repeat(501) }, 400],
    ['content of exactly 1 MiB', { title: 't', content: 'é'.repeat(512 * 1024) }, 201],
    ['content of 1 MiB and a byte', { title: 't', content: 'é'.repeat(512 * 1024) + 'x' }, 400],
    ['metadata of exactly 16 KiB', { title: 't', metadata: { k: 'x'.repeat(16 * 1024 - 8) } }, 201],
    [
      'metadata of 16 KiB and a byte',
      { title: 't', metadata: { k: 'x'.repeat(16 * 1024 - 7) } },
      400,
    ],
    ['metadata ten levels deep', { title: 't', metadata: nested(10) }, 201],
    ['metadata eleven levels deep', { title: 't', metadata: nested(11) }, 400],
    [
      'aiSettings of 4 KiB and a byte',
      { title: 't', aiSettings: { k: 'x'.repeat(4 * 1024 - 7) } },
      400,
    ],
    ['metadata that is null', { title: 't', metadata: null }, 400],
    ['metadata that is an array', { title: 't', metadata: [] }, 400],
    ['content that is null', { title: 't', content: null }, 400],
    [
      'a template that does not exist',
      { title: 't', templateId: 'tmpl_01h455vb4pex5vsknk084sn02q' },
      400,
    ],
  ])('creating a document responds to %s with the limit', async (_, body, status) => {
    const { api } = await app.account();
    expect((await api.createDocument(body)).status).toBe(status);
  });

  it('creating a document returns metadata exactly as sent: order, number spelling, odd keys and whitespace', async () => {
    const { api } = await app.account();
    const metadata =
      '{ "b":1.0, "1":2e2,\n"__proto__":{"x":1},"constructor":"c","a":12345678901234567890 }';
    const created = await api.send('POST', '/v1/documents', {
      rawBody: `{"title":"t","metadata":${metadata}}`,
    });
    expect(created.status).toBe(201);
    expect(created.text).toContain(`"metadata":${metadata},`);
    const { id } = created.body.data as { id: string };
    expect((await api.readDocument(id)).text).toContain(`"metadata":${metadata},`);
    expect((await api.listDocuments()).text).toContain(`"metadata":${metadata},`);
  });

  it('creating a document commits the event with the document, and the deliveries due to listening webhooks', async () => {
    const { api, accountId } = await app.account();
    const hooks = [];
    for (const events of [['document.created'], ['document.*'], ['*'], ['document.deleted']]) {
      hooks.push(
        await api.registerWebhook({
          url: 'https://example.com/hook',
          events,
          secret: 'x'.repeat(32),
        }),
      );
    }
    await api.createDocument({ title: 'Watched' });
    const deliveries: { webhook_id: string; status: string }[] = await app.dataSource.query(
      'SELECT webhook_id, status FROM webhook_deliveries WHERE account_id = $1',
      [accountId],
    );
    expect(hooks.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(deliveries).toHaveLength(3);
    expect(new Set(deliveries.map(({ webhook_id }) => webhook_id)).size).toBe(3);
    expect(deliveries.every(({ status }) => status === 'pending')).toBe(true);
  });

  it('creating a document leaves nothing behind when the document cannot be stored', async () => {
    const { api, accountId } = await app.account();
    await app.dataSource.query(
      `ALTER TABLE documents ADD CONSTRAINT refused CHECK (title <> 'refused')`,
    );
    const [good, bad] = await Promise.all([
      api.createDocument({ title: 'kept' }),
      api.createDocument({ title: 'refused' }),
    ]);
    await app.dataSource.query('ALTER TABLE documents DROP CONSTRAINT refused');
    expect(good.status).toBe(201);
    expectFailure(bad, 500, 'INTERNAL_ERROR');
    const [{ events, documents }] = await app.dataSource.query(
      `SELECT (SELECT count(*)::int FROM events WHERE account_id = $1) AS events,
              (SELECT count(*)::int FROM documents WHERE account_id = $1) AS documents`,
      [accountId],
    );
    expect({ events, documents }).toEqual({ events: 1, documents: 1 });
  });
});

function nested(levels: number): object {
  return levels === 1 ? {} : { a: nested(levels - 1) };
}
