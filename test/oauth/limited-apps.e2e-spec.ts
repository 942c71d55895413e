import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { FROM_EVERYWHERE, join, signUpAs, type SignedInPerson } from '../dashboard/people.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import {
  approve,
  authorizationQuery,
  CALLBACK,
  consentPage,
  postForm,
  register,
} from './mcp-app.js';

let app: TestApp;
let owner: SignedInPerson;
let clientId: string;
beforeAll(async () => {
  app = await startTestApp({ environment: FROM_EVERYWHERE });
  clientId = await register(app.origin);
});
beforeEach(async () => {
  owner = await signUpAs(app);
});
afterAll(() => app.close());

const v1 = (person: SignedInPerson, method: string, path: string, body?: unknown) =>
  person.browser.send(method, `/accounts/${person.accountId}/v1${path}`, body);

async function newFolder(name: string): Promise<string> {
  const body = { name, parentId: null };
  return (expectSuccess(await v1(owner, 'POST', '/collections', body), 201) as { id: string }).id;
}

async function newDocument(title: string, collectionId: string | null): Promise<void> {
  expectSuccess(await v1(owner, 'POST', '/documents', { title, content: '', collectionId }), 201);
}

/** Connects an app with this consent. */
async function connect(person: SignedInPerson, consent: object) {
  const { query, verifier } = authorizationQuery({ client_id: clientId });
  const redirect = await approve(person, { query, ...consent });
  const { status, body } = await postForm(`${app.origin}/oauth/token`, {
    grant_type: 'authorization_code',
    code: redirect.searchParams.get('code') ?? '',
    client_id: clientId,
    redirect_uri: CALLBACK,
    code_verifier: verifier,
  });
  expect(status).toBe(200);
  return body;
}

async function titlesWith(token: string): Promise<string[]> {
  const documents = expectSuccess(await app.api(token).listDocuments()) as { title: string }[];
  return documents.map(({ title }) => title).sort();
}

describe('the consent page', () => {
  it('learns whether there are collections that this person sees, and which scopes can be limited to them', async () => {
    const { query } = authorizationQuery({ client_id: clientId });
    const check = async (person: SignedInPerson) =>
      expectSuccess(await consentPage(person, '/check', { query })) as {
        hasCollections: boolean;
        scopes: { scope: string; limitable: boolean }[];
      };
    const { hasCollections, scopes } = await check(owner);
    expect(hasCollections).toBe(false);
    expect(scopes.filter(({ limitable }) => !limitable).map(({ scope }) => scope)).toEqual([
      'usage:read',
    ]);
    const folder = await newFolder('Reports');
    expect((await check(owner)).hasCollections).toBe(true);
    const member = await join(app, owner.accountId, 'member');
    const shared = { ...member, accountId: owner.accountId };
    expect((await check(shared)).hasCollections).toBe(true);
    await restrict(folder);
    expect((await check(shared)).hasCollections).toBe(false);
    expect((await check(owner)).hasCollections).toBe(true);
  });
});

/** Hides a collection from everyone but owners and admins. */
async function restrict(folder: string): Promise<void> {
  await app.dataSource.query(
    `UPDATE collections SET access = '{"everyone": null, "people": []}', created_by = NULL WHERE id = $1`,
    [decodeId('collection', folder)],
  );
}

describe('an app with the consent to some collections', () => {
  it('uses these only, also after a refresh, and its key and the audit log name them', async () => {
    const folder = await newFolder('Reports');
    await newDocument('In', folder);
    await newDocument('Out', null);
    const first = await connect(owner, { collections: [folder] });
    expect(await titlesWith(first.access_token)).toEqual(['In']);
    const { status, body: second } = await postForm(`${app.origin}/oauth/token`, {
      grant_type: 'refresh_token',
      refresh_token: first.refresh_token,
      client_id: clientId,
    });
    expect(status).toBe(200);
    expect(second.scope).toBe(first.scope);
    expect(await titlesWith(second.access_token)).toEqual(['In']);
    const me = expectSuccess(await app.api(second.access_token).send('GET', '/v1/me'));
    expect(me).toMatchObject({ key: { collections: [folder] } });
    const apps = expectSuccess(await v1(owner, 'GET', '/oauth/authorizations'));
    expect(apps).toMatchObject([{ collections: [folder] }]);
    const audit = expectSuccess(await v1(owner, 'GET', '/audit?action=key.create'));
    expect(audit).toMatchObject([{ details: { collections: [folder] } }]);
    const all = await connect(owner, {});
    expect(await titlesWith(all.access_token)).toEqual(['In', 'Out']);
  });

  it('follows the rights of the person, and is narrowed by an admin', async () => {
    const [folder, other] = [await newFolder('Reports'), await newFolder('Letters')];
    await newDocument('In', folder);
    await newDocument('Letter', other);
    const member = await join(app, owner.accountId, 'member');
    const shared = { ...member, accountId: owner.accountId };
    const { access_token: token } = await connect(shared, { collections: [folder, other] });
    expect(await titlesWith(token)).toEqual(['In', 'Letter']);
    await restrict(folder);
    expect(await titlesWith(token)).toEqual(['Letter']);
    const [key] = expectSuccess(await v1(owner, 'GET', '/keys?kind=app')) as { id: string }[];
    const patch = { collections: [folder] };
    expectSuccess(await v1(owner, 'PATCH', `/keys/${key?.id ?? ''}`, patch));
    expect(await titlesWith(token)).toEqual([]);
  });

  it('gets no collection that the person cannot see, and no scope for the whole account', async () => {
    const [folder, hidden] = [await newFolder('Reports'), await newFolder('Hidden')];
    await restrict(hidden);
    const member = await join(app, owner.accountId, 'member');
    const shared = { ...member, accountId: owner.accountId };
    const { query } = authorizationQuery({ client_id: clientId });
    const consent = { query, scopes: ['documents:read'], days: 30 };
    const unknown = 'col_01h455vb4pex5vsknk084sn02q';
    const answers = [];
    for (const wrong of [hidden, unknown]) {
      const refused = await consentPage(shared, '', { ...consent, collections: [folder, wrong] });
      expectFailure(refused, 400, 'INVALID_REQUEST');
      answers.push(refused.body.error);
    }
    expect(answers[0]).toMatchObject({ details: { field: 'collections[1]' } });
    expect({ ...answers[0], requestId: '' }).toEqual({ ...answers[1], requestId: '' });
    const scopes = ['documents:read', 'usage:read'];
    const refused = await consentPage(owner, '', { ...consent, scopes, collections: [folder] });
    expectFailure(refused, 400, 'INVALID_REQUEST');
    expect(refused.body.error).toMatchObject({ details: { field: 'scopes' } });
    expect(refused.text).toContain('usage:read');
  });
});
