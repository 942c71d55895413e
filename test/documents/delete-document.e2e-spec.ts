import { BackgroundTasks } from '../../src/platform/background/background-tasks.js';
import { type ApiClient, whileBusy } from '../support/api-client.js';
import { BackgroundTasksModule } from '../../src/worker.module.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';

const DAY_MS = 24 * 60 * 60 * 1000;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ modules: [BackgroundTasksModule] });
});
afterAll(() => app.close());

async function created(api: ApiClient, title = 'T'): Promise<{ id: string }> {
  return expectSuccess(await api.createDocument({ title }), 201) as { id: string };
}

async function eventTypes(api: ApiClient): Promise<string[]> {
  const { body } = await api.listEvents({ order: 'asc', limit: 100 });
  return (body.data as { type: string }[]).map(({ type }) => type);
}

describe('A deleted document', () => {
  it('A deleted document is neither found nor listed, and is restored unchanged', async () => {
    const { api } = await app.account();
    const document = await created(api);
    const deleted = expectSuccess(await api.deleteDocument(document.id));
    const until = new Date(app.clock.now().getTime() + 30 * DAY_MS).toISOString();
    expect(deleted).toEqual({
      id: document.id,
      deleted: true,
      permanent: false,
      restorableUntil: until,
    });
    expectFailure(await api.readDocument(document.id), 404, 'NOT_FOUND');
    expectFailure(await api.deleteDocument(document.id), 404, 'NOT_FOUND');
    expectFailure(await api.patchDocument(document.id, { title: 'x' }), 404, 'NOT_FOUND');
    expect((await api.listDocuments()).body.meta.pagination.total).toBe(0);
    expect(expectSuccess(await api.restoreDocument(document.id))).toEqual(document);
    expect(expectSuccess(await api.readDocument(document.id))).toEqual(document);
    expectFailure(await api.restoreDocument(document.id), 409, 'INVALID_REQUEST');
    expect(await eventTypes(api)).toEqual([
      'document.created',
      'document.deleted',
      'document.restored',
    ]);
  });

  it('A deleted document cannot be restored after 30 days, when the trash is emptied', async () => {
    const { api } = await app.account();
    const document = await created(api);
    await api.deleteDocument(document.id);
    app.clock.advance(30 * DAY_MS - 1);
    await app.app.get(BackgroundTasks).runAll();
    expectSuccess(await api.restoreDocument(document.id));
    await api.deleteDocument(document.id);
    app.clock.advance(30 * DAY_MS);
    expectFailure(await api.restoreDocument(document.id), 404, 'NOT_FOUND');
    await app.app.get(BackgroundTasks).runAll();
    const rows = await app.dataSource.query<unknown[]>(
      'SELECT id FROM documents WHERE deleted_at IS NOT NULL',
    );
    expect(rows).toEqual([]);
  });

  it('A deleted document is deleted once when ten clients delete it at once', async () => {
    const { api } = await app.account();
    const document = await created(api);
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => whileBusy(() => api.deleteDocument(document.id))),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await eventTypes(api)).toEqual(['document.created', 'document.deleted']);
  });

  it('A deleted document stays when If-Match names another version', async () => {
    const { api } = await app.account();
    const { id } = await created(api);
    await api.patchDocument(id, { title: 'Newer' });
    const refused = await api.deleteDocument(id, {}, { 'If-Match': '"1"' });
    expectFailure(refused, 412, 'INVALID_REQUEST');
    expectSuccess(await api.deleteDocument(id, {}, { 'If-Match': '"2"' }));
  });
});

describe('A permanently deleted document', () => {
  it('A permanently deleted document needs the scope documents:delete', async () => {
    const { api } = await app.account({ scopes: ['documents:read', 'documents:write'] });
    const { id } = await created(api);
    const refused = await api.deleteDocument(id, { permanent: true });
    expectFailure(refused, 403, 'FORBIDDEN');
    expect(refused.body.error.details).toMatchObject({ requiredScopes: ['documents:delete'] });
    expectSuccess(await api.readDocument(id));
  });

  it('A permanently deleted document cannot be restored, and leaves no version behind', async () => {
    const { api } = await app.account();
    const { id } = await created(api);
    await api.patchDocument(id, { title: 'Second' });
    await api.deleteDocument(id);
    const gone = expectSuccess(await api.deleteDocument(id, { permanent: true }));
    expect(gone).toEqual({ id, deleted: true, permanent: true, restorableUntil: null });
    expectFailure(await api.restoreDocument(id), 404, 'NOT_FOUND');
    expectFailure(await api.deleteDocument(id, { permanent: true }), 404, 'NOT_FOUND');
    const types = await eventTypes(api);
    expect(types.filter((type) => type === 'document.deleted')).toHaveLength(1);
  });

  it('A permanently deleted document requires true or false', async () => {
    const { api } = await app.account();
    const { id } = await created(api);
    const refused = await api.deleteDocument(id, { permanent: 'yes' });
    expectFailure(refused, 400, 'INVALID_REQUEST');
    expect(refused.body.error.details.field).toBe('permanent');
    expectSuccess(await api.readDocument(id));
  });
});
