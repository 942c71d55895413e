import type { AuditEntryDto } from '../../src/features/audit/dto/audit.dto.js';
import { AUDIT_ACTIONS, resourceOf } from '../../src/features/audit/audit-actions.js';
import { encodeId, newUuid } from '../../src/platform/basics/identifiers/identifiers.js';
import type { TestAccount } from '../support/accounts.js';
import type { ApiClient } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { entriesOf, totalOf } from './audit-api.js';

let app: TestApp;
let account: TestAccount & { api: ApiClient };
let all: AuditEntryDto[];
beforeAll(async () => {
  app = await startTestApp();
  account = await app.account();
  await fill(account, 300);
  all = await walk(account.api, { order: 'asc' });
});
afterAll(() => app.close());

const START = Date.parse('2026-02-01T00:00:00.000Z');
const HOUR = 60 * 60 * 1000;

/**
 * Writes entries for every action, by two users and three keys, some at the same moment, on seven resources of each kind.
 */
async function fill({ accountId, userId }: TestAccount, count: number): Promise<void> {
  const [users, keys] = [
    [userId, newUuid(), null],
    [newUuid(), newUuid(), newUuid(), null],
  ];
  const resources = Array.from({ length: 7 }, () => newUuid());
  const rows = Array.from({ length: count }, (_, n) => ({
    id: newUuid(),
    action: AUDIT_ACTIONS[(n * 7) % AUDIT_ACTIONS.length],
    resource_id: n % 11 === 0 ? null : resources[n % resources.length],
    user_id: users[n % 3],
    key_id: n % 3 === 2 ? null : keys[n % 4],
    created_at: new Date(START + Math.floor(n / 3) * HOUR),
  }));
  await app.dataSource.query(
    `INSERT INTO audit_log (id, account_id, action, resource_id, user_id, key_id, details, created_at)
     SELECT id, $1, action, resource_id, user_id, key_id, '{"n": 1.0}', created_at
       FROM json_to_recordset($2) AS r (id uuid, action text, resource_id uuid, user_id uuid, key_id uuid,
                                        created_at timestamptz)`,
    [accountId, JSON.stringify(rows)],
  );
}

/** Reads every entry that matches the filters, page by page by cursor. */
async function walk(api: ApiClient, query: Record<string, string>): Promise<AuditEntryDto[]> {
  const entries: AuditEntryDto[] = [];
  let cursor: string | null = null;
  do {
    const response = await api.list('/v1/audit', { ...query, limit: 37, cursor });
    entries.push(...(expectSuccess(response) as AuditEntryDto[]));
    cursor = (response.body as { meta: { pagination: { nextCursor: string | null } } }).meta
      .pagination.nextCursor;
  } while (cursor !== null);
  return entries;
}

/** Returns filters as clients send them, with the entries that must match. */
function filterCases(): [
  name: string,
  query: Record<string, string>,
  wanted: (entry: AuditEntryDto) => boolean,
][] {
  const some = all.find(({ actor, resource }) => actor?.keyId && resource.id) as AuditEntryDto;
  const [userId, keyId, resourceId] = [some.actor?.userId, some.actor?.keyId, some.resource.id].map(
    String,
  );
  const [after, before] = [new Date(START + 20 * HOUR), new Date(START + 60 * HOUR)];
  const since = ({ createdAt }: AuditEntryDto) => createdAt >= after.toISOString();
  const until = ({ createdAt }: AuditEntryDto) => createdAt < before.toISOString();
  return [
    ['action', { action: 'key.rotate' }, ({ action }) => action === 'key.rotate'],
    ['resourceType', { resourceType: 'key' }, ({ resource }) => resource.type === 'key'],
    [
      'action and resourceType that exclude each other',
      { action: 'key.rotate', resourceType: 'document' },
      () => false,
    ],
    [
      'resourceId',
      { resourceId: String(resourceId) },
      ({ resource }) => resource.id === resourceId,
    ],
    ['userId', { userId: String(userId) }, ({ actor }) => actor?.userId === userId],
    ['keyId', { keyId: String(keyId) }, ({ actor }) => actor?.keyId === keyId],
    ['after', { after: after.toISOString() }, since],
    ['before, in another zone', { before: before.toISOString().replace('Z', '-00:00') }, until],
    [
      'after, a day',
      { after: after.toISOString().slice(0, 10) },
      ({ createdAt }) => createdAt >= `${after.toISOString().slice(0, 10)}T00:00:00.000Z`,
    ],
    [
      'after and before',
      { after: after.toISOString(), before: before.toISOString() },
      (entry) => since(entry) && until(entry),
    ],
    [
      'all at once',
      { after: after.toISOString(), userId: String(userId), resourceType: 'webhook' },
      (entry) =>
        since(entry) && entry.actor?.userId === userId && entry.resource.type === 'webhook',
    ],
  ];
}

describe('GET /v1/audit', () => {
  it('GET /v1/audit visits every entry once, ordered by time and ID, in both directions', async () => {
    expect(all).toHaveLength(300);
    const keys = all.map(({ createdAt, id }) => createdAt + id);
    expect(keys).toEqual([...new Set(keys)].sort());
    expect(await walk(account.api, {})).toEqual([...all].reverse());
  });

  it('GET /v1/audit returns for every filter and combination what a full scan finds, with the exact total', async () => {
    for (const [name, query, wanted] of filterCases()) {
      const expected = all.filter(wanted);
      expect([name, await walk(account.api, { ...query, order: 'asc' })]).toEqual([name, expected]);
      expect([name, await totalOf(account.api, query)]).toEqual([name, expected.length]);
      const pages = Math.ceil(expected.length / 10);
      const last = await entriesOf(account.api, {
        ...query,
        order: 'asc',
        limit: 10,
        page: Math.max(1, pages),
      });
      expect(last).toEqual(expected.slice(Math.max(0, pages - 1) * 10));
    }
  });

  it('GET /v1/audit has the details, and no user if no key did it', async () => {
    const response = await account.api.list('/v1/audit', { limit: 100 });
    const entries = expectSuccess(response) as AuditEntryDto[];
    expect(entries.every(({ details }) => details['n'] === 1)).toBe(true);
    expect(entries.some(({ actor }) => actor === null)).toBe(true);
    expect(entries.every(({ action, resource }) => resource.type === resourceOf(action))).toBe(
      true,
    );
  });

  it("GET /v1/audit shows nothing of another account, even with that account's IDs", async () => {
    const other = await app.account();
    const entry = all.find(({ resource }) => resource.id !== null);
    expect(await totalOf(other.api)).toBe(0);
    expect(await totalOf(other.api, { resourceId: String(entry?.resource.id) })).toBe(0);
    const read = await other.api.send('GET', `/v1/audit/${String(entry?.id)}`);
    expectFailure(read, 404, 'NOT_FOUND');
    const unknown = await other.api.send('GET', `/v1/audit/${encodeId('audit', newUuid())}`);
    expect(read.body.error).toEqual(unknown.body.error);
    expectFailure(await other.api.send('GET', '/v1/audit/nonsense'), 404, 'NOT_FOUND');
  });

  it.each([
    ['action', 'document.created', "did you mean 'document.create'?"],
    ['action', '', 'known are document.create'],
    ['resourceType', 'documents', "did you mean 'document'?"],
    ['resourceId', 'doc_1', 'must be an id'],
    ['resourceId', '01928000-0000-7000-8000-000000000001', 'must be an id'],
    ['resourceId', 'nope_01kam3k0v5e0rbk1y2c9q4w7zt', 'must be an id'],
    ['userId', 'key_01kam3k0v5e0rbk1y2c9q4w7zt', 'must be the id of a user'],
    ['keyId', "' OR 1=1", 'must be the id of a key'],
    ['after', 'yesterday', 'must be a time with a UTC offset'],
    ['after', '2026-01-31T08:00:00', 'must be a time with a UTC offset'],
    ['before', '2026-02-30T00:00:00Z', 'must be a time with a UTC offset'],
    ['sort', 'action', 'must be one of created_at, updated_at'],
    ['actor', 'x', 'is not a known field'],
  ])('GET /v1/audit refuses %s=%s and says what it must be', async (field, value, issue) => {
    const response = await account.api.list('/v1/audit', { [field]: value });
    expectFailure(response, 400, 'INVALID_REQUEST');
    expect(response.body.error.details.field).toBe(field);
    expect(response.body.error.details.issue).toContain(issue);
  });

  it('GET /v1/audit accepts the earliest and latest valid time, and each filter once', async () => {
    const times = { after: '0000-01-01T00:00:00Z', before: '9999-12-31T23:59:59.999Z' };
    expect(await totalOf(account.api, times)).toBe(300);
    expectFailure(
      await account.api.send('GET', '/v1/audit?action=key.create&action=key.revoke'),
      400,
      'INVALID_REQUEST',
    );
    expectFailure(
      await account.api.send(
        'GET',
        '/v1/audit?after=2026-02-01T00:00:00Z&after=2026-02-01T00:00:00Z',
      ),
      400,
      'INVALID_REQUEST',
    );
  });
});
