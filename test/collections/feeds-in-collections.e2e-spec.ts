import { AnalysisOrdersService } from '../../src/features/analysis/analyses/analysis-orders.service.js';
import { StreamTimes } from '../../src/features/events/stream/event-streams.js';
import { decodeId } from '../../src/platform/basics/identifiers/identifiers.js';
import { logged, requestIdOf, write } from '../requests/request-log.js';
import { StreamClient } from '../events/stream-client.js';
import { proposed } from '../proposals/proposals-api.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectFailure, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { attempt, register } from '../webhooks/managed-webhook.js';
import { newMember } from './collections-api.js';
import { expectSameRefusal, newDocument, pageOf, restrictedFolders } from './restricted-folder.js';

let app: TestApp;
beforeAll(async () => {
  // Without workers, jobs stay queued.
  app = await startTestApp();
  app.app.get(AnalysisOrdersService, { strict: false }).waitMs = 0;
  app.app.get(StreamTimes, { strict: false }).pollMs = 20;
});
afterAll(() => app.close());

const UNKNOWN_JOB = 'job_01h455vb4pex5vsknk084sn02q';
const jobIn = (response: ApiResponse) => (expectSuccess(response, 202) as { id: string }).id;
const list = (api: ApiClient, path: string) => api.send('GET', path);

describe('jobs of a member who does not see all documents', () => {
  it('jobs that others ordered, and those of documents that are hidden now, do not exist', async () => {
    const { owner, member, shared, grant } = await restrictedFolders(app);
    const document = await newDocument(owner, shared.id, { content: 'teh cat' });
    const ofOwner = jobIn(await owner.analyzeDocument(document, {}));
    const own = jobIn(await member.api.analyzeDocument(document, {}));
    expect(own).not.toBe(ofOwner);
    expect(jobIn(await member.api.analyzeDocument(document, {}))).toBe(own);
    const text = jobIn(await member.api.send('POST', '/v1/analyze', { body: { content: 'teh' } }));
    const folder = `/v1/collections/${shared.id}/export`;
    const exported = jobIn(await member.api.send('POST', folder));
    const ofOthers = jobIn(await owner.send('POST', folder));
    expect(pageOf(await member.api.listJobs())).toEqual({ total: 3, ids: [exported, text, own] });
    expect(pageOf(await owner.listJobs()).total).toBe(5);
    for (const id of [own, exported]) expectSuccess(await member.api.readJob(id));
    const unknown = await member.api.readJob(UNKNOWN_JOB);
    for (const id of [ofOwner, ofOthers]) expectSameRefusal(await member.api.readJob(id), unknown);
    await grant(null);
    expect(pageOf(await member.api.listJobs())).toEqual({ total: 1, ids: [text] });
    for (const refused of [
      await member.api.readJob(own),
      await member.api.readJobResult(own),
      await member.api.cancelJob(own),
      await member.api.readJob(exported),
    ]) {
      expectSameRefusal(refused, unknown);
    }
    expectSuccess(await owner.readJob(own));
    expectSuccess(await member.api.readJob(text));
  });

  it('a key sees the jobs of the key, and exports of the account do not exist', async () => {
    const { account, owner, shared } = await restrictedFolders(app);
    const { key, keyId } = await app.anotherKey(account);
    await app.dataSource.query('UPDATE api_keys SET collections = $2 WHERE id = $1', [
      keyId,
      [decodeId('collection', shared.id)],
    ]);
    const limited = app.api(key);
    jobIn(await owner.exportAccount());
    const document = await newDocument(limited, shared.id, { content: 'teh cat' });
    const job = jobIn(await limited.analyzeDocument(document, {}));
    expect(pageOf(await limited.listJobs())).toEqual({ total: 1, ids: [job] });
    expect(pageOf(await owner.listJobs()).total).toBe(2);
  });
});

describe('deliveries that a member reads', () => {
  it('deliveries of hidden documents have no body, headers or responses, and are in no list of the document', async () => {
    const { owner, member, shared, secret, grant } = await restrictedFolders(app);
    const webhook = await register(owner, { events: ['document.created'] });
    const document = await newDocument(owner, shared.id, { title: 'Merger' });
    await owner.patchDocument(document, { collectionId: secret.id });
    await owner.patchDocument(document, { collectionId: shared.id });
    const [id = ''] = pageOf(await owner.listDeliveries(webhook)).ids;
    await attempt(app.dataSource, id, 'failed');
    const shown = await member.api.readDelivery(webhook, id);
    expect(shown.body.data).toEqual((await owner.readDelivery(webhook, id)).body.data);
    expect(shown.body.data.requestBody).toContain('Merger');
    const ofDocument = () => list(member.api, `/v1/deliveries?documentId=${document}`);
    expect(pageOf(await ofDocument())).toEqual({ total: 1, ids: [id] });
    await grant(null);
    const hidden = expectSuccess(await member.api.readDelivery(webhook, id));
    expect(hidden).toMatchObject({ id, requestBody: null });
    expect(hidden).toMatchObject({
      attempts: [{ requestHeaders: {}, responseHeaders: null, responseBody: null }],
    });
    expect(JSON.stringify(hidden)).not.toContain('Merger');
    expect(pageOf(await ofDocument())).toEqual({ total: 0, ids: [] });
    expect(pageOf(await member.api.listDeliveries(webhook)).total).toBe(1);
    expect(pageOf(await list(owner, `/v1/deliveries?documentId=${document}`)).total).toBe(1);
  });
});

describe('a retry with an Idempotency-Key', () => {
  const send = (api: ApiClient, path: string, body: object) =>
    api.send('POST', path, { body, headers: { 'idempotency-key': 'once' } });

  it.each([
    ['creating a document', (id: string) => ['', { title: 'Plan', collectionId: id }] as const],
  ])('%s responds like a new request after the right was removed', async (_, of) => {
    const { owner, member, shared, grant } = await restrictedFolders(app);
    const [path, body] = of(shared.id);
    const first = await send(member.api, `/v1/documents${path}`, body);
    const { id } = expectSuccess(first, 201) as { id: string };
    const again = await send(member.api, `/v1/documents${path}`, body);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(expectSuccess(again, 201)).toEqual(expectSuccess(first, 201));
    await grant('viewer');
    const refused = await send(member.api, `/v1/documents${path}`, body);
    expectFailure(refused, 403, 'FORBIDDEN');
    expect(refused.body.error.details).toEqual({ requiredRight: 'editor', right: 'viewer' });
    await grant(null);
    expectFailure(await send(member.api, `/v1/documents${path}`, body), 404, 'NOT_FOUND');
    expectSuccess(await owner.readDocument(id));
  });

  it('of a request about a document responds like a new request after the right was removed', async () => {
    const { owner, member, shared, grant } = await restrictedFolders(app);
    const id = await newDocument(owner, shared.id, { content: 'teh cat' });
    const cases: [path: string, body: object][] = [
      [`/v1/documents/${id}/edits`, { edits: [{ op: 'replace', find: 'teh', with: 'the' }] }],
      [`/v1/documents/${id}/proposals`, { edits: [{ quote: 'cat', replacement: 'dog' }] }],
      [`/v1/documents/${id}/analyze`, {}],
      [`/v1/documents/${id}/copy`, {}],
    ];
    const firsts = [];
    for (const [path, body] of cases) firsts.push(await send(member.api, path, body));
    for (const { status } of firsts) expect(status).toBeLessThan(300);
    await grant(null);
    for (const [path, body] of cases) {
      const refused = await send(member.api, path, body);
      const fresh = await member.api.send('POST', path, { body });
      expectFailure(fresh, 404, 'NOT_FOUND');
      expectSameRefusal(refused, fresh);
    }
    await grant('editor');
    const replayed = await send(member.api, cases[0]?.[0] ?? '', cases[0]?.[1] ?? {});
    expect(expectSuccess(replayed)).toEqual(expectSuccess(firsts[0] as ApiResponse));
  });
});

describe('the request log of a member', () => {
  it('has the requests of the member alone, in lists, totals and by ID', async () => {
    const { account, owner, member, secret } = await restrictedFolders(app);
    const ofOwner = await list(owner, `/v1/documents?q=takeover&collection=${secret.id}`);
    const own = await list(member.api, '/v1/documents?q=plan');
    await logged(app, owner, ofOwner);
    await logged(app, member.api, own);
    const log = await list(member.api, '/v1/requests?route=/v1/documents&limit=100');
    expect(pageOf(log)).toEqual({ total: 1, ids: [requestIdOf(own)] });
    expect(log.text).not.toContain('takeover');
    const other = await newMember(app, account);
    const unknown = await eventually(
      async () => {
        await write(app);
        return list(member.api, `/v1/requests/${requestIdOf(ofOwner)}`);
      },
      ({ body }) => body.error.details.reason !== 'pending',
    );
    expectFailure(unknown, 404, 'NOT_FOUND');
    expect(pageOf(await list(other.api, '/v1/requests?route=/v1/documents')).total).toBe(0);
    expect(pageOf(await list(owner, '/v1/requests?route=/v1/documents')).total).toBe(2);
  });
});

describe('presence in a document of a collection', () => {
  it('who cannot see the document gets 404, and a viewer cannot edit', async () => {
    const { owner, member, shared, grant } = await restrictedFolders(app);
    const id = await newDocument(owner, shared.id);
    expectSuccess(await member.api.holdPresence(id, 'editing'));
    await grant('viewer');
    const refused = await member.api.holdPresence(id, 'editing');
    expectFailure(refused, 403, 'FORBIDDEN');
    expect(refused.body.error.details).toEqual({ requiredRight: 'editor', right: 'viewer' });
    expectSuccess(await member.api.holdPresence(id, 'viewing'));
    await grant(null);
    const unknown = await member.api.readPresence('doc_01h455vb4pex5vsknk084sn02q');
    for (const response of [
      await member.api.readPresence(id),
      await member.api.holdPresence(id, 'viewing'),
      await member.api.holdPresence(id, 'editing'),
      await member.api.leaveDocument(id),
    ]) {
      expectSameRefusal(response, unknown);
    }
  });

  it('editing and viewing end with the right, although their time is not over', async () => {
    const { owner, member, shared, grant } = await restrictedFolders(app);
    const id = await newDocument(owner, shared.id);
    const states = async () => {
      const { total, entries } = expectSuccess(await owner.readPresence(id)) as {
        total: number;
        entries: { userId: string; state: string }[];
      };
      return [total, ...entries.map(({ state }) => state)];
    };
    expectSuccess(await owner.holdPresence(id, 'viewing'));
    expectSuccess(await member.api.holdPresence(id, 'editing'));
    expect(await states()).toEqual([2, 'editing', 'viewing']);
    await grant('viewer');
    expect(await states()).toEqual([2, 'viewing', 'viewing']);
    await grant(null);
    expect(await states()).toEqual([1, 'viewing']);
    await grant('editor');
    expect(await states()).toEqual([2, 'editing', 'viewing']);
    await app.dataSource.query('DELETE FROM members WHERE user_id = $1', [member.uuid]);
    expect(await states()).toEqual([1, 'viewing']);
  });
});

describe('the inbox of proposals', () => {
  it('has the proposals for visible documents, with an exact total', async () => {
    const { owner, member, shared, secret, grant } = await restrictedFolders(app);
    const [seen, hidden] = [
      await newDocument(owner, shared.id, { content: 'one' }),
      await newDocument(owner, secret.id, { content: 'one', title: 'Takeover' }),
    ];
    const body = { edits: [{ quote: 'one', replacement: 'two' }] };
    const { id } = await proposed(owner, seen, body);
    await proposed(owner, hidden, body);
    const inbox = await list(member.api, '/v1/proposals');
    expect(pageOf(inbox)).toEqual({ total: 1, ids: [id] });
    expect(inbox.text).not.toContain('Takeover');
    expect(pageOf(await list(member.api, `/v1/proposals?documentId=${hidden}`)).total).toBe(0);
    expect(pageOf(await list(owner, '/v1/proposals')).total).toBe(2);
    await grant(null);
    expect(pageOf(await list(member.api, '/v1/proposals'))).toEqual({ total: 0, ids: [] });
  });
});

describe('the stream of an enhancement', () => {
  it('ends soon after its reader has lost the right, and is then refused like an unknown document', async () => {
    const { owner, member, shared, grant } = await restrictedFolders(app);
    const id = await newDocument(owner, shared.id, { content: 'teh cat' });
    const made = expectSuccess(await member.api.enhanceDocument(id, {}), 202);
    const { enhancementId } = made as { enhancementId: string };
    const path = `/v1/documents/${id}/enhancements/${enhancementId}/stream`;
    const response = await fetch(app.origin + path, {
      headers: { authorization: `Bearer ${member.key}` },
    });
    expect(response.status).toBe(200);
    await grant(null);
    expect(await response.text()).not.toContain('event: done');
    expectFailure(await list(member.api, path), 404, 'NOT_FOUND');
  });
});

describe('a browser token', () => {
  it('is refused where it was, also in an account with collections', async () => {
    const { account, owner, shared } = await restrictedFolders(app);
    const document = await newDocument(owner, shared.id);
    const body = { documents: { ids: [document] }, scopes: ['documents:read'] };
    const made = expectSuccess(await owner.send('POST', '/v1/tokens', { body }), 201);
    const { token } = made as { token: string };
    const browser = app.api(token);
    expectSuccess(await browser.readDocument(document));
    for (const path of ['events', 'jobs', 'proposals', `documents/${document}/presence`]) {
      const refused = await list(browser, `/v1/${path}`);
      expectFailure(refused, 403, 'FORBIDDEN');
    }
    const stream = await StreamClient.open(app.origin, token);
    expect(stream.response.statusCode).toBe(403);
    stream.leave();
    expect(account.key).not.toBe(token);
  });
});
