import { BackgroundTasks } from '../../src/platform/background/background-tasks.js';
import type { AuditEntryDto } from '../../src/features/audit/dto/audit.dto.js';
import { encodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import type { PublicIssuedKey } from '../../src/features/keys/key.presenter.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { entriesOf, totalOf } from './audit-api.js';

const DAY_MS = 24 * 60 * 60 * 1000;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ environment: { PROCESS_ROLE: 'all' } });
});
afterAll(() => app.close());

const idOf = ({ body }: { body: { data: { id: string } } }) => body.data.id;
const makeKey = (api: ApiClient, body: object = {}, headers = {}) =>
  api.send('POST', '/v1/keys', {
    body: { name: 'Build server', scopes: ['documents:read'], ...body },
    headers,
  });

describe('the audit log', () => {
  it('the audit log records who did what to which resource, in which request, from where', async () => {
    const { api, user, keyId } = await app.account();
    const made = await api.createDocument({ title: 'Plan' }, { 'user-agent': 'acme/1.0 "x" é' });
    const [entry] = await entriesOf(api);
    expect(entry).toEqual({
      id: expect.stringMatching(/^aud_[0-7][0-9a-hjkmnp-tv-z]{25}$/) as string,
      action: 'document.create',
      resource: { type: 'document', id: idOf(made) },
      actor: { userId: user.id, userName: user.name, keyId: encodeId('key', keyId) },
      requestId: (made.body as { meta: { requestId: string } }).meta.requestId,
      clientAddress: '127.0.0.1',
      userAgent: expect.stringContaining('acme/1.0 "x"') as string,
      createdAt: app.clock.now().toISOString(),
      details: {},
    } satisfies AuditEntryDto);
    expect(expectSuccess(await api.send('GET', `/v1/audit/${String(entry?.id)}`))).toEqual(entry);
  });

  it('the audit log has one entry for each change of a document, and none for reads and refusals', async () => {
    const { api } = await app.account();
    const id = idOf(await api.createDocument({ title: 'Plan', content: 'secret text' }));
    await api.readDocument(id);
    await api.listDocuments();
    await api.patchDocument(id, { title: 'Better plan' });
    await api.patchDocument(id, { title: 'Better plan' });
    expectFailure(await api.patchDocument(id, { title: '' }), 400, 'INVALID_REQUEST');
    await api.deleteDocument(id);
    await api.restoreDocument(id);
    await api.deleteDocument(id, { permanent: true });
    const entries = await entriesOf(api, { order: 'asc' });
    expect(entries.map(({ action }) => action).sort()).toEqual([
      'document.create',
      'document.delete',
      'document.purge',
      'document.restore',
      'document.update',
    ]);
    expect(entries.every(({ resource }) => resource.id === id)).toBe(true);
    expect(JSON.stringify(entries)).not.toMatch(/secret text|plan/i);
  });

  it('the audit log distinguishes imports from creations, and names the template', async () => {
    const { api } = await app.account();
    const template = idOf(await api.createTemplate({ name: 'T', title: 'T' }));
    const filled = idOf(await api.createDocument({ templateId: template }));
    const imported = idOf(await api.importDocument({ name: 'a.md', content: '# Plan\n' }));
    const entries = await entriesOf(api, { order: 'asc' });
    expect(entries).toMatchObject([
      { action: 'template.create' },
      { action: 'document.create', resource: { id: filled }, details: { templateId: template } },
      {
        action: 'document.import',
        resource: { type: 'document', id: imported },
        details: { format: 'md', bytes: 7 },
      },
    ]);
    expect(await totalOf(api, { action: 'document.import' })).toBe(1);
  });

  it('the audit log records the creation, rotation and revocation of keys, without the keys', async () => {
    const { api } = await app.account();
    const made = expectSuccess(await makeKey(api), 201) as PublicIssuedKey;
    const rotation = await api.send('POST', `/v1/keys/${made.id}/rotate`, {
      body: { gracePeriodSeconds: 60 },
    });
    const rotated = expectSuccess(rotation, 201) as PublicIssuedKey;
    await api.send('DELETE', `/v1/keys/${rotated.id}`);
    await api.send('DELETE', `/v1/keys/${rotated.id}`);
    const entries = await entriesOf(api);
    const details = (action: string) => entries.filter((entry) => entry.action === action);
    expect(entries).toHaveLength(3);
    expect(details('key.create')).toMatchObject([
      {
        resource: { type: 'key', id: made.id },
        details: { name: 'Build server', scopes: ['documents:read'], expiresAt: null },
      },
    ]);
    expect(details('key.rotate')).toMatchObject([
      {
        resource: { type: 'key', id: made.id },
        details: { successorId: rotated.id, gracePeriodSeconds: 60 },
      },
    ]);
    expect(details('key.revoke')).toMatchObject([{ resource: { type: 'key', id: rotated.id } }]);
    for (const { key } of [made, rotated]) {
      expect(JSON.stringify(entries)).not.toContain(key.slice(8, 20));
    }
  });

  it('the audit log records nothing that did not happen: revoking a foreign key, rotating an ended one', async () => {
    const [mine, other] = [await app.account(), await app.account()];
    const { id } = expectSuccess(await makeKey(other.api), 201) as PublicIssuedKey;
    expectFailure(await mine.api.send('DELETE', `/v1/keys/${id}`), 404, 'NOT_FOUND');
    await other.api.send('DELETE', `/v1/keys/${id}`);
    const again = await other.api.send('POST', `/v1/keys/${id}/rotate`, { body: {} });
    expectFailure(again, 409, 'INVALID_REQUEST');
    expect(await totalOf(mine.api)).toBe(0);
    expect(await totalOf(other.api)).toBe(2);
  });

  it('the audit log has one entry and one key for the retries of one request', async () => {
    const { api } = await app.account();
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => makeKey(api, {}, { 'Idempotency-Key': 'once' })),
    );
    const ids = responses.filter(({ status }) => status === 201).map(idOf);
    expect(new Set(ids).size).toBe(1);
    expect(await totalOf(api, { action: 'key.create' })).toBe(1);
    expect((await api.list('/v1/keys', {})).body.meta.pagination.total).toBe(2);
    const rotate = () =>
      api.send('POST', `/v1/keys/${String(ids[0])}/rotate`, {
        body: {},
        headers: { 'Idempotency-Key': 'turn' },
      });
    const [first, retry] = [await rotate(), await rotate()];
    expect([first.status, retry.status]).toEqual([201, 201]);
    expect(retry.body.data).toEqual({ ...(first.body.data as object), key: null });
    expect(await totalOf(api, { action: 'key.rotate' })).toBe(1);
  });

  it('the audit log names no user for what the service does itself', async () => {
    const { api } = await app.account();
    const id = idOf(await api.createDocument({ title: 'x' }));
    await api.deleteDocument(id);
    app.clock.advance(31 * DAY_MS);
    await app.app.get(BackgroundTasks).runAll();
    const [entry] = await entriesOf(api);
    expect(entry).toMatchObject({
      action: 'document.purge',
      resource: { type: 'document', id },
      actor: null,
      requestId: null,
      details: { by: 'service' },
    });
  });

  it('the audit log only grows, even for someone with database access', async () => {
    const { api } = await app.account();
    await api.createDocument({ title: 'x' });
    for (const statement of [
      `UPDATE audit_log SET action = 'document.delete'`,
      'DELETE FROM audit_log',
      'TRUNCATE audit_log',
    ]) {
      await expect(app.dataSource.query(statement)).rejects.toThrow('audit_log only grows');
    }
    expect(await totalOf(api)).toBe(1);
  });

  it('the audit log stores 300 characters of a long User-Agent, and works without one', async () => {
    const { api } = await app.account();
    await api.createDocument({ title: 'x' }, { 'user-agent': 'a'.repeat(5_000) });
    app.clock.advance(1);
    await api.createDocument({ title: 'x' });
    const [without, long] = await entriesOf(api);
    expect(long?.userAgent).toBe('a'.repeat(300));
    expect(without?.userAgent).toBeNull();
  });
});
