import fc from 'fast-check';
import { request } from 'undici';
import { appName } from '../../src/features/oauth/clients/app-client.js';
import { redirectProblem } from '../../src/features/oauth/clients/redirect-uris.js';
import { FROM_EVERYWHERE, signUpAs, type SignedInPerson } from '../dashboard/people.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { propertyRuns } from '../support/property-runs.js';
import { LIST, sendMessage } from '../mcp/messages.js';
import {
  approve,
  authorizationQuery,
  CALLBACK,
  consentPage,
  DocumentHost,
  postForm,
  register,
} from './mcp-app.js';

const MINUTE = 60_000;

let app: TestApp;
let owner: SignedInPerson;
let clientId: string;
beforeAll(async () => {
  app = await startTestApp({ environment: { ...FROM_EVERYWHERE, WEBHOOK_ALLOW_HTTP: 'true' } });
  clientId = await register(app.origin);
});
beforeEach(async () => {
  owner = await signUpAs(app);
});
afterAll(() => app.close());

const token = (form: Record<string, string>) => postForm(`${app.origin}/oauth/token`, form);

/** Consents, and returns the form that exchanges the code. */
async function consented(more: Record<string, string> = {}): Promise<Record<string, string>> {
  const { query, verifier } = authorizationQuery({ client_id: clientId, ...more });
  const code = (await approve(owner, { query })).searchParams.get('code') ?? '';
  return {
    grant_type: 'authorization_code',
    ...{ client_id: clientId, redirect_uri: CALLBACK, code, code_verifier: verifier },
  };
}

const refreshForm = (refreshToken: string) => ({
  grant_type: 'refresh_token',
  ...{ refresh_token: refreshToken, client_id: clientId },
});

const statusOf = async (accessToken: string) =>
  (await app.api(accessToken).send('GET', '/v1/me')).status;

describe('the exchange of a code', () => {
  it('twice ends the access that the first exchange gave, also at the same time', async () => {
    const form = await consented();
    const first = await token(form);
    expect(first).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } });
    expect(first.body).toMatchObject({
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'documents:read documents:suggest',
    });
    expect(await statusOf(first.body.access_token)).toBe(200);
    expect(await token(form)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect(await statusOf(first.body.access_token)).toBe(401);
    expect(await token(refreshForm(first.body.refresh_token))).toMatchObject({ status: 400 });

    const racing = await consented();
    const answers = await Promise.all(Array.from({ length: 5 }, () => token(racing)));
    const won = answers.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    expect(await statusOf(won[0]?.body.access_token ?? '')).toBe(401);
  });

  it.each([
    ['another app', { client_id: 'dyn.other' }, 'invalid_grant'],
    ['another redirect', { redirect_uri: 'http://127.0.0.1:4568/callback' }, 'invalid_grant'],
    ['another resource', { resource: 'https://other.example.com/mcp' }, 'invalid_target'],
    ['the plain challenge', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
    ['a short verifier', { code_verifier: 'x' }, 'invalid_grant'],
  ])('with %s is refused and uses the code up', async (_, wrong, error) => {
    const form = await consented();
    expect(await token({ ...form, ...wrong })).toMatchObject({ status: 400, body: { error } });
    expect(await token(form)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('for another resource of this service than the consent is refused', async () => {
    const form = await consented({ resource: `${app.origin}/mcp` });
    const wrong = { ...form, resource: `${app.origin}/v1` };
    expect((await token(wrong)).body).toMatchObject({ error: 'invalid_target' });
  });

  it('later than a minute after the consent is refused', async () => {
    const form = await consented();
    app.clock.advance(MINUTE);
    expect((await token(form)).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('without a verifier, without a code, or with an unknown one is refused', async () => {
    const { code_verifier: verifier = '', ...form } = await consented();
    expect((await token(form)).body).toMatchObject({ error: 'invalid_request' });
    const made = { ...form, code_verifier: verifier, code: 'ds_ac_made-up' };
    expect((await token(made)).body).toMatchObject({ error: 'invalid_grant' });
    const other = { ...form, code_verifier: verifier, grant_type: 'password' };
    expect((await token(other)).body).toMatchObject({ error: 'unsupported_grant_type' });
    const repeated = await request(`${app.origin}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=refresh_token&grant_type=refresh_token&client_id=x',
    });
    expect(await repeated.body.json()).toMatchObject({ error: 'invalid_request' });
    const json = await request(`${app.origin}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(await json.body.json()).toMatchObject({ error: 'invalid_request' });
  });
});

describe('a refresh token', () => {
  it('works for 10 minutes after it was replaced; later, it ends the access', async () => {
    const { body: first } = await token(await consented());
    const { body: second } = await token(refreshForm(first.refresh_token));
    app.clock.advance(10 * MINUTE);
    const { status, body: third } = await token(refreshForm(first.refresh_token));
    expect(status).toBe(200);
    app.clock.advance(MINUTE);
    expect((await token(refreshForm(first.refresh_token))).body).toMatchObject({
      error: 'invalid_grant',
    });
    for (const { access_token: one } of [first, second, third]) {
      expect(await statusOf(one)).toBe(401);
    }
    expect((await token(refreshForm(third.refresh_token))).status).toBe(400);
  });

  it('of another app, or for another resource, is refused and keeps working', async () => {
    const { body } = await token(await consented());
    const form = refreshForm(body.refresh_token);
    expect((await token({ ...form, client_id: 'dyn.other' })).body.error).toBe('invalid_grant');
    const elsewhere = { ...form, resource: 'https://other.example.com' };
    expect((await token(elsewhere)).body.error).toBe('invalid_target');
    expect((await token({ ...form, scope: 'documents:write' })).body.error).toBe('invalid_scope');
    const narrow = await token({ ...form, scope: 'documents:read' });
    expect(narrow.body.scope).toBe('documents:read');
    const written = await app
      .api(narrow.body.access_token)
      .send('POST', '/v1/documents/doc_01kaj9w2s6fq3r8h5d0m7x1yzb/proposals', { body: {} });
    expectFailure(written, 403, 'FORBIDDEN');
    expect(await app.api(body.refresh_token).send('GET', '/v1/me')).toMatchObject({ status: 401 });
  });
});

describe('the consent page', () => {
  const check = (more: Record<string, string>) =>
    consentPage(owner, '/check', {
      query: authorizationQuery({ client_id: clientId, ...more }).query,
    });

  it.each([
    ['an unknown app', { client_id: 'somebody' }, 'client_id'],
    ['a damaged registration', { client_id: 'dyn.AAAA' }, 'client_id'],
    [
      'a redirect that was not registered',
      { redirect_uri: 'https://evil.example.com' },
      'redirect_uri',
    ],
    ['a redirect that runs code', { redirect_uri: 'javascript:alert(1)' }, 'redirect_uri'],
  ])('refuses %s', async (_, more, field) => {
    const refused = await check(more);
    expectFailure(refused, 400, 'INVALID_REQUEST');
    expect(refused.body.error.details.field).toBe(field);
    expect(refused.body.error.details.redirectUri).toBeUndefined();
  });

  it.each([
    ['no challenge', { code_challenge: '' }, 'code_challenge', 'invalid_request'],
    [
      'a plain challenge',
      { code_challenge_method: 'plain' },
      'code_challenge_method',
      'invalid_request',
    ],
    ['no method', { code_challenge_method: '' }, 'code_challenge_method', 'invalid_request'],
    ['no response type', { response_type: '' }, 'response_type', 'invalid_request'],
    ['a token response', { response_type: 'token' }, 'response_type', 'unsupported_response_type'],
    [
      'another resource',
      { resource: 'https://other.example.com/mcp' },
      'resource',
      'invalid_target',
    ],
  ])('refuses %s, with the address that reports it to the app', async (_, more, field, error) => {
    const redirectUri = `${CALLBACK}?page=1`;
    const client = await register(app.origin, { redirect_uris: [redirectUri] });
    const refused = await check({
      ...{ client_id: client, redirect_uri: redirectUri, state: 'a b&c' },
      ...more,
    });
    expectFailure(refused, 400, 'INVALID_REQUEST');
    const { details } = refused.body.error;
    expect(details.field).toBe(field);
    const reported = new URL(details.redirectUri as string);
    expect(reported.origin + reported.pathname).toBe(CALLBACK);
    expect(Object.fromEntries(reported.searchParams)).toEqual({
      ...{ page: '1', error, state: 'a b&c', iss: app.origin },
      error_description: `${field} ${String(details.issue)}`,
    });
  });

  it('refuses a repeated parameter, and lets only the port of a loopback redirect differ', async () => {
    const { query } = authorizationQuery({ client_id: clientId });
    const repeated = await consentPage(owner, '/check', { query: `${query}&state=a&state=b` });
    expect(repeated.body.error.details.field).toBe('state');
    const reported = new URL(repeated.body.error.details.redirectUri as string).searchParams;
    expect([reported.get('error'), reported.has('state')]).toEqual(['invalid_request', false]);
    expect((await check({ redirect_uri: 'http://127.0.0.1:9/callback' })).status).toBe(200);
    expect((await check({ redirect_uri: 'http://127.0.0.1:9/other' })).status).toBe(400);
    expect((await check({ redirect_uri: 'http://localhost:4567/callback' })).status).toBe(400);
  });

  it('grants no scope of keys, webhooks or the audit log, and none that the role lacks', async () => {
    const asked = 'documents:read keys:write webhooks:write audit:read * openid';
    const shown = expectSuccess(await check({ scope: asked })) as {
      scopes: { scope: string; asked: boolean }[];
    };
    const names = shown.scopes.map(({ scope }) => scope);
    expect(names).toEqual([
      ...['documents:read', 'documents:suggest', 'documents:write', 'documents:delete'],
      ...['documents:analyze', 'templates:read', 'templates:write', 'events:read', 'usage:read'],
    ]);
    const ticked = shown.scopes.filter((one) => one.asked);
    expect(ticked).toEqual([
      { scope: 'documents:read', asked: true, allowed: true, limitable: true },
    ]);
    const { query } = authorizationQuery({ client_id: clientId });
    for (const scopes of [['keys:write'], ['*'], []]) {
      const body = { query, scopes, days: 30 };
      expectFailure(await consentPage(owner, '', body), 400, 'INVALID_REQUEST');
    }
    const forever = { query, scopes: ['documents:read'], days: 36_500 };
    expectFailure(await consentPage(owner, '', forever), 400, 'INVALID_REQUEST');
  });

  it('cannot be used by a key, from another origin, without a session, or in a frame', async () => {
    const { key } = await app.account();
    const { query } = authorizationQuery({ client_id: clientId });
    const body = { query, scopes: ['documents:read'], days: 30 };
    for (const path of ['/v1/oauth/authorizations', '/v1/oauth/authorizations/check']) {
      const sent = path.endsWith('check') ? { query } : body;
      expectFailure(await app.api(key).send('POST', path, { body: sent }), 403, 'FORBIDDEN');
    }
    const { body: tokens } = await token(await consented());
    const byToken = app.api(tokens.access_token).send('POST', '/v1/oauth/authorizations', { body });
    expectFailure(await byToken, 403, 'FORBIDDEN');
    const path = `/dashboard/api/accounts/${owner.accountId}/v1/oauth/authorizations`;
    const headers = { origin: 'https://evil.example.com' };
    const crossSite = await owner.browser.request('POST', path, { body, headers });
    expectFailure(crossSite, 403, 'FORBIDDEN');
    owner.browser.cookie = undefined;
    expectFailure(await owner.browser.request('POST', path, { body }), 401, 'UNAUTHORIZED');
    const page = await request(`${app.origin}/dashboard/authorize?${query}`, {
      headers: { accept: 'text/html' },
    });
    await page.body.dump();
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
  });

  it('replays no code for an Idempotency-Key', async () => {
    const { query } = authorizationQuery({ client_id: clientId });
    const path = `/dashboard/api/accounts/${owner.accountId}/v1/oauth/authorizations`;
    const sent = {
      body: { query, scopes: ['documents:read'], days: 30 },
      headers: { 'idempotency-key': 'consent' },
    };
    const first = expectSuccess(await owner.browser.request('POST', path, sent)) as any;
    expect(first.redirectUri).toContain('ds_ac_');
    expect(expectSuccess(await owner.browser.request('POST', path, sent))).toEqual({
      redirectUri: null,
    });
  });
});

describe('a registration', () => {
  it.each([
    'javascript:alert(1)',
    'JavaScript://x/%0aalert(1)',
    'data:text/html,x',
    'vbscript:x',
    'blob:https://example.com/x',
    'file:///etc/passwd',
    'http://app.example.com/callback',
    'https://user@app.example.com/',
    'https://app.example.com/#fragment',
    'java\nscript:alert(1)',
    'not a url',
  ])('of %j is refused', async (uri) => {
    const refused = await request(`${app.origin}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [uri] }),
    });
    expect(refused.statusCode).toBe(400);
    expect(await refused.body.json()).toMatchObject({ error: 'invalid_redirect_uri' });
  });

  it('of an app with its own scheme is accepted', async () => {
    const uri = 'cursor://anysphere.cursor-retrieval/oauth/callback';
    const id = await register(app.origin, { redirect_uris: [uri, CALLBACK] });
    const { query } = authorizationQuery({ client_id: id, redirect_uri: uri, state: 's' });
    const shown = expectSuccess(await consentPage(owner, '/check', { query })) as any;
    expect(shown.redirect).toEqual({ host: null, isLoopback: false, scheme: 'cursor' });
    const redirect = await approve(owner, { query });
    expect(redirect.href).toMatch(
      /^cursor:\/\/anysphere.cursor-retrieval\/oauth\/callback\?code=ds_ac_/,
    );
    expect(redirect.searchParams.get('iss')).toBe(app.origin);
  });

  it('has a short ID, hides nothing in its name, and is bounded', async () => {
    const uris = [
      ...['http://localhost/callback', 'http://127.0.0.1/callback', 'https://vscode.dev/redirect'],
      ...['vscode://vscode.github-authentication/did-authenticate', 'http://localhost:33418/'],
      'https://insiders.vscode.dev/redirect',
    ];
    const id = await register(app.origin, { client_name: 'VS Code', redirect_uris: uris });
    expect(id.length).toBeLessThanOrEqual(260);
    expect(appName('Safe\u202e\u200bapp\n', '')).toBe('Safe app');
    const long = Array.from(
      { length: 20 },
      (_, index) => `https://${String(index)}.example.com/${randomPath()}`,
    );
    const refused = await request(`${app.origin}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: long }),
    });
    expect(refused.statusCode).toBe(400);
    await refused.body.dump();
    const huge = await request(`${app.origin}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'x'.repeat(17_000) }),
    });
    expect(huge.statusCode).toBe(413);
    await huge.body.dump();
  });

  it('accepts no redirect that a browser would run or read as a file', () => {
    const scheme = fc.constantFrom('javascript', 'data', 'vbscript', 'file', 'blob', 'about', 'ws');
    const cased = scheme.chain((text) =>
      fc
        .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
        .map((upper) =>
          Array.from(text, (one, at) => (upper[at] ? one.toUpperCase() : one)).join(''),
        ),
    );
    fc.assert(
      fc.property(
        cased,
        fc.webPath(),
        fc.constantFrom('', ' ', '\t', '\n'),
        (name, path, space) => {
          expect(redirectProblem(`${space}${name}:${path}`)).toBeDefined();
        },
      ),
      { numRuns: propertyRuns(500) },
    );
  });
});

function randomPath(): string {
  return Array.from({ length: 120 }, () => Math.floor(Math.random() * 36).toString(36)).join('');
}

describe('a metadata document', () => {
  let host: DocumentHost;
  beforeEach(async () => {
    host = await DocumentHost.start();
  });
  afterEach(() => {
    host.close();
  });
  const checkDocument = (id = host.clientId) =>
    consentPage(owner, '/check', { query: authorizationQuery({ client_id: id }).query });

  it.each<[string, (host: DocumentHost) => void]>([
    [
      'is huge',
      (one) =>
        (one.respond = (_, response) =>
          response.end(JSON.stringify({ ...one.document, x: 'x'.repeat(11_000) }))),
    ],
    ['is slow', (one) => (one.respond = () => undefined)],
    [
      'redirects',
      (one) =>
        (one.respond = (_, response) => response.writeHead(302, { location: '/other' }).end()),
    ],
    [
      'names another client',
      (one) =>
        (one.respond = (_, response) =>
          response.end(JSON.stringify({ ...one.document, client_id: 'x' }))),
    ],
    ['is not JSON', (one) => (one.respond = (_, response) => response.end('<html>'))],
    ['is missing', (one) => (one.respond = (_, response) => response.writeHead(404).end('{}'))],
    [
      'has only a redirect that runs code',
      (one) =>
        (one.respond = (_, response) =>
          response.end(JSON.stringify({ ...one.document, redirect_uris: ['javascript:x'] }))),
    ],
  ])('that %s is refused', async (_, arrange) => {
    arrange(host);
    const refused = await checkDocument();
    expectFailure(refused, 400, 'INVALID_REQUEST');
    expect(refused.body.error.details.field).toBe('client_id');
    expect(refused.body.error.message).toMatch(/^The app cannot be connected: the document/);
  });

  it('at a private address is never requested in production', async () => {
    const production = await startTestApp({
      environment: {
        ...FROM_EVERYWHERE,
        WEBHOOK_ALLOW_HTTP: 'true',
        WEBHOOK_ALLOWED_NETWORKS: '192.0.2.0/24',
      },
    });
    const person = await signUpAs(production);
    const { query } = authorizationQuery({ client_id: host.clientId });
    expectFailure(await consentPage(person, '/check', { query }), 400, 'INVALID_REQUEST');
    expect(host.requests).toBe(0);
    await production.close();
  });

  it('has an HTTPS URL with a path', async () => {
    for (const id of [
      'http://app.example.com/c',
      'https://app.example.com',
      'https://a.example.com/c#x',
    ]) {
      const refused = await checkDocument(id);
      expect(refused.body.error.details).toEqual({
        field: 'client_id',
        issue: 'is not one that this service knows',
      });
    }
  });
});

describe('the metadata of the service', () => {
  const read = async (path: string, at = app.origin) => {
    const response = await request(at + path);
    return {
      status: response.statusCode,
      headers: response.headers,
      body: (await response.body.json()) as any,
    };
  };

  it('leads from a refused request at /mcp to the endpoints, also in browsers', async () => {
    const refused = await sendMessage(() => app.origin)(undefined, LIST);
    const metadata = `${app.origin}/.well-known/oauth-protected-resource/mcp`;
    expect(refused.headers['www-authenticate']).toBe(
      `Bearer realm="document-service", resource_metadata="${metadata}", scope="documents:read documents:suggest"`,
    );
    const resource = await read('/.well-known/oauth-protected-resource/mcp');
    expect(resource.headers['access-control-allow-origin']).toBe('*');
    expect(resource.headers['access-control-allow-credentials']).toBeUndefined();
    expect(resource.body).toMatchObject({
      resource: `${app.origin}/mcp`,
      authorization_servers: [app.origin],
      scopes_supported: ['documents:read', 'documents:suggest'],
    });
    expect((await read('/.well-known/oauth-protected-resource')).body.resource).toBe(app.origin);
    expect((await read('/.well-known/oauth-authorization-server')).body).toMatchObject({
      issuer: app.origin,
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
    const preflight = await request(`${app.origin}/oauth/token`, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example.com', 'access-control-request-method': 'POST' },
    });
    await preflight.body.dump();
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers['access-control-allow-origin']).toBe('*');
  });

  it.each([
    ['OAUTH is off', { OAUTH: 'off' }],
    ['PUBLIC_URL is neither HTTPS nor loopback', { PUBLIC_URL: 'http://documents.example.com' }],
  ])('is missing where %s', async (_, environment) => {
    const off = await startTestApp({ environment });
    for (const path of ['oauth-protected-resource', 'oauth-authorization-server']) {
      expect((await read(`/.well-known/${path}`, off.origin)).status).toBe(404);
    }
    const form = await postForm(`${off.origin}/oauth/token`, {});
    expect(form.status).toBe(404);
    const refused = await sendMessage(() => off.origin)(undefined, LIST);
    expect(refused.headers['www-authenticate']).toBe('Bearer realm="document-service"');
    await off.close();
  });

  it('has the origin of PUBLIC_URL, whatever the request says', async () => {
    const secure = await startTestApp({
      environment: { PUBLIC_URL: 'https://documents.example.com' },
    });
    const { body } = await read('/.well-known/oauth-authorization-server', secure.origin);
    expect(body.issuer).toBe('https://documents.example.com');
    await secure.close();
  });
});

describe('requests without a credential', () => {
  it('are limited for each network', async () => {
    const flooded = await startTestApp();
    const statuses = new Set<number>();
    for (let count = 0; count < 310; count += 1) {
      const { status, body } = await postForm(`${flooded.origin}/oauth/token`, { grant_type: 'x' });
      if (status === 429) expect(body.error).toBe('slow_down');
      statuses.add(status);
    }
    expect([...statuses]).toEqual([400, 429]);
    await flooded.close();
  });
});
