import { FakeSessionsModule, signIn } from '../auth/fake-sessions.js';
import { makeKey } from '../support/accounts.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { isLive, setWait } from './gate-api.js';
import {
  act,
  acted,
  eventsOf,
  newDocument,
  patched,
  publishingAccount,
  type PublishedDocument,
} from './publishing-api.js';

// No worker runs, so no analysis is ever complete.
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ modules: [FakeSessionsModule] });
  setWait(app, 0);
});
afterAll(() => app.close());

const REASON = 'The legal department has approved this wording.';
const OVERRIDE = { override: { reason: REASON } };

/** Creates an account in which no document can be published without an override. */
async function lockedAccount(override: string) {
  const account = await publishingAccount(app, { rules: [{ checks: { errors: 0 }, override }] });
  const document = await newDocument(account.api, { title: 'Text', content: 'One.' });
  return { ...account, document };
}

const publishAs = (
  client: Pick<ApiClient, 'send'>,
  { id }: PublishedDocument,
): Promise<ApiResponse> => client.send('POST', `/v1/documents/${id}/publish`, { body: OVERRIDE });

describe('an override', () => {
  it('publishes despite the problems, and is in the audit log with each of them and in the event', async () => {
    const { api, document } = await lockedAccount('owner');
    const published = await acted(api, document, 'publish', OVERRIDE);
    expect(published).toMatchObject({ published: { version: 2, changed: false } });
    expect(await isLive(api, document)).toBe(true);
    const [entry] = expectSuccess(await api.send('GET', '/v1/audit?action=document.publish')) as {
      details: object;
    }[];
    expect(entry?.details).toEqual({
      version: 2,
      number: 1,
      override: {
        reason: REASON,
        problems: [{ check: 'analysis_missing', issue: expect.any(String) }],
      },
    });
    const [event] = await eventsOf(api, document, 'document.published');
    expect(event?.data.published).toEqual({
      version: 2,
      number: 1,
      releaseId: null,
      override: true,
    });
  });

  it('leaves no trace if there are no problems', async () => {
    const { api } = await publishingAccount(app);
    const document = await newDocument(api, { title: 'Text' });
    await acted(api, document, 'publish', OVERRIDE);
    const [entry] = expectSuccess(await api.send('GET', '/v1/audit?action=document.publish')) as {
      details: object;
    }[];
    expect(entry?.details).toEqual({ version: 2, number: 1 });
    const [event] = await eventsOf(api, document, 'document.published');
    expect(event?.data.published).not.toHaveProperty('override');
  });

  it('holds for this version, also after changes of its status, and for no other', async () => {
    const { api, document } = await lockedAccount('owner');
    await acted(api, document, 'publish', OVERRIDE);
    await acted(api, document, 'unpublish');
    await patched(api, document, { externalId: 'guide' });
    expect(await patched(api, document, { status: 'published' })).toMatchObject({ version: 5 });
    await patched(api, document, { content: 'Two.' });
    expect((await act(api, document, 'publish')).status).toBe(409);
    await acted(api, document, 'publish', OVERRIDE);
    expect(await acted(api, document, 'publish', { version: 1 })).toMatchObject({
      content: 'Two.',
      published: { version: 5, changed: true },
    });
    await patched(api, document, { content: 'One.' });
    expect((await act(api, document, 'publish')).status).toBe(409);
  });

  it.each([
    ['owner', 'owner', 200],
    ['owner', 'admin', 403],
    ['admin', 'owner', 200],
    ['admin', 'admin', 200],
    ['admin', 'member', 403],
    ['nobody', 'owner', 403],
  ] as const)(
    'with the rule %s, by a person with the role %s: %i',
    async (override, role, status) => {
      const account = await lockedAccount(override);
      const { api, document } = account;
      const person = await signIn(app, account, role);
      const path = `/v1/documents/${document.id}/publication-checks`;
      const checks = expectSuccess(await person.send('GET', path));
      expect(checks).toMatchObject({ canOverride: status === 200 });
      const response = await person.send('POST', `/v1/documents/${document.id}/publish`, {
        body: OVERRIDE,
      });
      expect(response.status).toBe(status);
      expect(await isLive(api, document)).toBe(status === 200);
    },
  );

  it.each([
    ['admin', ['*'], 200],
    ['owner', ['*'], 200],
    ['nobody', ['*'], 403],
    ['admin', ['documents:read', 'documents:write'], 403],
  ] as const)(
    'with the rule %s, by a key with the scopes %s: %i',
    async (override, scopes, status) => {
      const account = await lockedAccount(override);
      const { key } = await makeKey(app.dataSource, account, { scopes: [...scopes] });
      const response = await publishAs(app.api(key), account.document);
      expect(response.status).toBe(status);
      if (status === 403) expectFailure(response, 403, 'FORBIDDEN');
    },
  );

  it.each([
    ['override.reason', { reason: '' }],
    ['override.reason', { reason: ' ' }],
    ['override.reason', { reason: 'x'.repeat(501) }],
    ['override.reason', {}],
    ['override', 'yes'],
  ])('is refused without a reason of 1 to 500 characters (%s)', async (field, override) => {
    const { api, document } = await lockedAccount('owner');
    const refused = await act(api, document, 'publish', { override });
    expectFailure(refused, 400, 'INVALID_REQUEST');
    expect(refused.body.error.details.field).toBe(field);
  });
});
