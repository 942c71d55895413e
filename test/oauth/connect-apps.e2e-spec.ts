import {
  auth,
  discoverAuthorizationServerMetadata,
  refreshAuthorization,
} from '@modelcontextprotocol/sdk/client/auth.js';
import { request } from 'undici';
import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { BackgroundTasksModule } from '../../src/worker.module.js';
import { BackgroundTasks } from '../../src/platform/background/background-tasks.js';
import { FROM_EVERYWHERE, join, signUpAs, type SignedInPerson } from '../dashboard/people.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess, expectFailure } from '../support/envelope.js';
import {
  approve,
  consentPage,
  DocumentHost,
  McpApp,
  postForm,
  register,
  authorizationQuery,
} from './mcp-app.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const ENVIRONMENT = { ...FROM_EVERYWHERE, WEBHOOK_ALLOW_HTTP: 'true' };

let app: TestApp;
let owner: SignedInPerson;
beforeAll(async () => {
  app = await startTestApp({ environment: ENVIRONMENT, modules: [BackgroundTasksModule] });
});
beforeEach(async () => {
  owner = await signUpAs(app);
});
afterAll(() => app.close());

const v1 = (person: SignedInPerson, method: string, path: string, body?: unknown) =>
  person.browser.send(method, `/accounts/${person.accountId}/v1${path}`, body);

const createDocument = async (person: SignedInPerson) =>
  expectSuccess(
    await v1(person, 'POST', '/documents', { title: 'Plan', content: 'A draft.\n' }),
    201,
  ) as {
    id: string;
  };

/** Returns the status of a request with an access token. */
async function statusWith(token: string | undefined, path = '/v1/me'): Promise<number> {
  const { statusCode, body } = await request(app.origin + path, {
    headers: { authorization: `Bearer ${String(token)}` },
  });
  await body.dump();
  return statusCode;
}

describe('an app that connects with the MCP SDK', () => {
  it('by registration reads, proposes, cannot write, and is a key that can be revoked', async () => {
    const { id } = await createDocument(owner);
    const editor = new McpApp('Trial editor');
    const mcp = await editor.connect(app.origin, owner);
    expect((await mcp.call('read_document', { id })).text).toBe('A draft.\n');
    const edits = [{ quote: 'draft', replacement: 'plan' }];
    const proposed = await mcp.call('propose_edit', { id, edits });
    expect(proposed).toBeDefined();
    expect(await mcp.refusal('create_document', { title: 'No', content: '' })).toContain(
      'documents:write',
    );
    const keys = expectSuccess(await v1(owner, 'GET', '/keys')) as any[];
    expect(keys).toHaveLength(1);
    expect(keys[0]).toMatchObject({
      name: 'Trial editor',
      scopes: ['documents:read', 'documents:suggest'],
      client: { id: expect.stringMatching(/^dyn\./), name: 'Trial editor', host: null },
      revokedAt: null,
    });
    const audit = expectSuccess(await v1(owner, 'GET', '/audit?action=key.create')) as any[];
    expect(audit[0]).toMatchObject({ details: { client: { name: 'Trial editor', host: null } } });
    expectFailure(
      await v1(owner, 'POST', `/keys/${keys[0].id as string}/rotate`),
      409,
      'INVALID_REQUEST',
    );
    expectSuccess(await v1(owner, 'DELETE', `/keys/${keys[0].id as string}`));
    expect(await statusWith(editor.saved?.access_token)).toBe(401);
    await mcp.close();
  });

  it('by its metadata document is shown with its host, and the document is cached', async () => {
    const host = await DocumentHost.start();
    host.respond = (_, response) => {
      response.setHeader('cache-control', 'public, max-age=120');
      response.end(JSON.stringify(host.document));
    };
    const editor = new McpApp();
    editor.information = { client_id: host.clientId };
    const query = await editor.requestAccess(app.origin);
    const shown = expectSuccess(await consentPage(owner, '/check', { query })) as {
      refusalUri: string;
    };
    expect(shown).toMatchObject({
      client: { id: host.clientId, name: 'Hosted', host: new URL(host.clientId).host },
      redirect: { host: '127.0.0.1:4567', isLoopback: true, scheme: null },
      account: { id: owner.accountId },
      days: [30, 90, 365],
    });
    expect(new URL(shown.refusalUri).searchParams.get('error')).toBe('access_denied');
    const mcp = await editor.connect(app.origin, owner);
    expect((await mcp.call('list_documents')).total).toBe(0);
    await mcp.close();
    expect(host.requests).toBe(1);
    app.clock.advance(2 * MINUTE);
    expectSuccess(await consentPage(owner, '/check', { query }));
    expect(host.requests).toBe(2);
    host.close();
  });

  it('prefers its metadata document to a registration', async () => {
    const editor = new McpApp();
    editor.clientMetadataUrl = 'https://app.example.com/client.json';
    const query = new URLSearchParams(await editor.requestAccess(app.origin));
    expect(query.get('client_id')).toBe('https://app.example.com/client.json');
    expect(query.get('resource')).toBe(`${app.origin}/mcp`);
    expect(query.get('scope')).toBe('documents:read documents:suggest');
  });

  it('stays connected while it refreshes 8 times at once for three hours, and over a restart', async () => {
    const editor = new McpApp();
    await (await editor.connect(app.origin, owner)).close();
    await app.dataSource.query(`UPDATE accounts SET plan = 'enterprise' WHERE id = $1`, [
      decodeId('account', owner.accountId),
    ]);
    const metadata = await discoverAuthorizationServerMetadata(app.origin);
    if (!metadata) throw new Error('The SDK found no metadata.');
    for (let hour = 0; hour < 3; hour += 1) {
      app.clock.advance(60 * MINUTE);
      expect(await statusWith(editor.saved?.access_token)).toBe(401);
      const { refresh_token: refreshToken = '' } = editor.saved ?? {};
      const clientInformation = editor.information ?? { client_id: '' };
      const all = await Promise.all(
        Array.from({ length: 8 }, () =>
          refreshAuthorization(app.origin, { metadata, clientInformation, refreshToken }),
        ),
      );
      expect(new Set(all.flatMap((one) => [one.access_token, one.refresh_token])).size).toBe(16);
      for (const { access_token: token } of all) expect(await statusWith(token)).toBe(200);
      editor.saved = all[hour];
    }
    const [{ current_database: name }] = await app.dataSource.query('SELECT current_database()');
    const url = new URL(String((app.dataSource.options as { url?: string }).url));
    expect(url.pathname).toBe(`/${name as string}`);
    const restarted = await startTestApp({ environment: ENVIRONMENT, databaseUrl: url.href });
    restarted.clock.advance(app.clock.now().getTime() - restarted.clock.now().getTime());
    const { access_token: token = '' } = editor.saved ?? {};
    const me = await restarted.api(token).send('GET', '/v1/me');
    expect(expectSuccess(me)).toMatchObject({ key: { client: { name: 'Trial editor' } } });
    await restarted.close();
  });

  it('refreshes by itself when its access token has expired', async () => {
    const editor = new McpApp();
    const mcp = await editor.connect(app.origin, owner);
    const before = editor.saved?.access_token;
    app.clock.advance(61 * MINUTE);
    expect((await mcp.call('list_documents')).total).toBe(0);
    expect(editor.saved?.access_token).not.toBe(before);
    await mcp.close();
  });

  it('asks for consent again once it was disconnected by its own revocation', async () => {
    const editor = new McpApp();
    await (await editor.connect(app.origin, owner)).close();
    const form = { token: editor.saved?.refresh_token ?? '' };
    expect((await postForm(`${app.origin}/oauth/revoke`, form)).status).toBe(200);
    expect(await statusWith(editor.saved?.access_token)).toBe(401);
    expect(await auth(editor, { serverUrl: `${app.origin}/mcp` })).toBe('REDIRECT');
    const [entry] = expectSuccess(await v1(owner, 'GET', '/audit?action=key.revoke')) as any[];
    expect(entry.details).toEqual({ by: 'service', reason: 'disconnected by the app' });
  });
});

describe('the access of an app', () => {
  it('never exceeds the role of its person, from the next request on', async () => {
    const member = await join(app, owner.accountId, 'member');
    const ofMember = { ...member, accountId: owner.accountId };
    const editor = new McpApp();
    const scopes = ['documents:read', 'documents:write'];
    await (await editor.connect(app.origin, ofMember, { scopes })).close();
    const write = () =>
      app.api(editor.saved?.access_token).send('POST', '/v1/documents', { body: { title: 'x' } });
    expectSuccess(await write(), 201);
    const { id } = member.user;
    expectSuccess(
      await owner.browser.send('PATCH', `/accounts/${owner.accountId}/members/${id}`, {
        role: 'viewer',
      }),
    );
    expectFailure(await write(), 403, 'FORBIDDEN');
    expectSuccess(await v1(owner, 'GET', '/keys'));
  });

  it('is listed and ended by its person, who cannot manage keys', async () => {
    const viewer = { ...(await join(app, owner.accountId, 'viewer')), accountId: owner.accountId };
    const editor = new McpApp();
    await (await editor.connect(app.origin, viewer)).close();
    expectFailure(await v1(viewer, 'GET', '/keys'), 403, 'FORBIDDEN');
    const [own] = expectSuccess(await v1(viewer, 'GET', '/oauth/authorizations')) as any[];
    expect(own.client.name).toBe('Trial editor');
    expect(expectSuccess(await v1(owner, 'GET', '/oauth/authorizations'))).toEqual([]);
    expectFailure(
      await v1(owner, 'DELETE', `/oauth/authorizations/${own.id as string}`),
      404,
      'NOT_FOUND',
    );
    expectSuccess(await v1(viewer, 'DELETE', `/oauth/authorizations/${own.id as string}`));
    expect(await statusWith(editor.saved?.access_token)).toBe(401);
  });

  it('follows the setting of the owner', async () => {
    const member = { ...(await join(app, owner.accountId, 'member')), accountId: owner.accountId };
    const editor = new McpApp();
    await (await editor.connect(app.origin, member)).close();
    const set = async (connectedApps: string) =>
      expectSuccess(await v1(owner, 'PATCH', '/account', { connectedApps })) as {
        connectedApps: string;
      };
    expect((await set('admins')).connectedApps).toBe('admins');
    expect(await statusWith(editor.saved?.access_token)).toBe(401);
    const query = await new McpApp().requestAccess(app.origin);
    const refused = await consentPage(member, '/check', { query });
    expectFailure(refused, 403, 'FORBIDDEN');
    expect(refused.body.error.message).toMatch(/^Only owners and admins/);
    expectSuccess(await consentPage(owner, '/check', { query }));
    await set('nobody');
    expectFailure(await consentPage(owner, '/check', { query }), 403, 'FORBIDDEN');
    await set('everyone');
    expect(await statusWith(editor.saved?.access_token)).toBe(200);
  });

  it('is outside the quota of keys, and at most 20 a person', async () => {
    const client = await register(app.origin);
    const consent = async () => {
      const { query, verifier } = authorizationQuery({ client_id: client });
      const code = (await approve(owner, { query })).searchParams.get('code') ?? '';
      return { code, verifier };
    };
    const exchange = async ({ code, verifier }: { code: string; verifier: string }) =>
      postForm(`${app.origin}/oauth/token`, {
        grant_type: 'authorization_code',
        ...{ client_id: client, code, code_verifier: verifier },
      });
    for (let count = 0; count < 18; count += 1) {
      expect((await exchange(await consent())).status).toBe(200);
    }
    const codes = [await consent(), await consent(), await consent(), await consent()];
    const statuses = (await Promise.all(codes.map(exchange))).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 200, 400, 400]);
    const { query } = authorizationQuery({ client_id: client });
    expectFailure(await consentPage(owner, '/check', { query }), 409, 'INVALID_REQUEST');
    expectSuccess(await v1(owner, 'POST', '/keys', { name: 'Own', scopes: ['*'] }), 201);
    expect(expectSuccess(await v1(owner, 'GET', '/usage'))).toMatchObject({
      quotas: { keys: { used: 1 } },
    });
  });

  it('ends after 30 days without use, and its expired tokens are removed', async () => {
    const editor = new McpApp();
    await (await editor.connect(app.origin, owner, { days: 365 })).close();
    app.clock.advance(31 * DAY);
    const refreshed = await postForm(`${app.origin}/oauth/token`, {
      grant_type: 'refresh_token',
      refresh_token: editor.saved?.refresh_token ?? '',
      client_id: editor.information?.client_id ?? '',
    });
    expect(refreshed.body).toMatchObject({ error: 'invalid_grant' });
    await app.app.get(BackgroundTasks, { strict: false }).runAll();
    // The session of the person has expired, too.
    const [key] = await app.dataSource.query(
      'SELECT revoked_at FROM api_keys WHERE account_id = $1',
      [decodeId('account', owner.accountId)],
    );
    expect(key.revoked_at).toEqual(app.clock.now());
    const kinds = await app.dataSource.query(
      `SELECT DISTINCT token.kind FROM access_tokens AS token JOIN api_keys AS key ON key.id = token.key_id
        WHERE token.expires_at <= $1`,
      [app.clock.now()],
    );
    expect(kinds).toEqual([]);
    expect(
      await app.dataSource.query('SELECT FROM authorization_codes WHERE expires_at < $1', [
        new Date(app.clock.now().getTime() - DAY),
      ]),
    ).toEqual([]);
  });
});
