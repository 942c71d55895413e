import { decodeId, encodeId, newUuid } from '../../src/platform/basics/identifiers/identifiers.js';
import { ROLE_SCOPES } from '../../src/features/auth/roles.js';
import { LIMITABLE_SCOPES } from '../../src/features/auth/scopes.js';
import { AccessTokensRepository } from '../../src/features/auth/tokens/access-tokens.repository.js';
import { KeysApi } from '../keys/keys-api.js';
import type { ApiClient } from '../support/api-client.js';
import type { TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import type { WebhookReceiver } from '../support/webhook-receiver.js';
import { newCollection, newMember, setAccess, type Right } from './collections-api.js';
import type { Named } from './matrix-requests.js';

export const CALLERS = [
  'a member without a right',
  'a viewer by entry',
  'an editor by entry',
  'a manager by entry',
  'a service account without a right',
  'a service account that is an editor',
  'a key limited to another collection',
  'an app limited to another collection',
  'a browser token of a limited key',
  'a browser token for another document',
] as const;
export type CallerName = (typeof CALLERS)[number];

/** A caller, with the right that an entry gives in a folder of its own; null for none. */
export interface Caller {
  api: ApiClient;
  right: Right | null;
  /** What the right is for. */
  own: Named | null;
  /** `named` with a job of the caller, who ordered it before the document was hidden. */
  ordered(named: Named): Promise<Named>;
}

export interface MatrixAccount {
  owner: ApiClient;
  /** In a folder without access of its own, which everyone can change. */
  open: Named;
  /** In a folder that only the owner can see, below one that all can see. */
  hidden: Named;
  /** Texts of the hidden document, its folder and what belongs to them. */
  secrets: string[];
  /** IDs of what the account shares, by prefix. */
  shared: Record<string, string>;
  callers: Record<CallerName, Caller>;
}

type Account = Awaited<ReturnType<TestApp['account']>>;

const idOf = (data: unknown) => (data as { id: string }).id;

/** Creates an account with the folders, documents and callers of the matrix. */
export async function matrixAccount(
  app: TestApp,
  receiver: WebhookReceiver,
): Promise<MatrixAccount> {
  const account = await app.account();
  const { api: owner } = account;
  expectSuccess(await owner.send('PUT', '/v1/publishing', { body: { enabled: true } }));
  const webhook = { url: receiver.url, events: ['document.*', 'collection.*'] };
  const wh = idOf(expectSuccess(await owner.send('POST', '/v1/webhooks', { body: webhook }), 201));
  const keys = new KeysApi(owner);
  const around = await newCollection(owner, 'Around');
  const fill = (name: string, parent: string | null, right?: { userId: string; right: Right }) =>
    filled(owner, wh, { name, parent, people: right ? [right] : right });
  const open = await filled(owner, wh, { name: 'Open', parent: null, people: undefined });
  const hidden = await filled(owner, wh, { name: 'Zanzibar', parent: around.id, people: [] });
  const scopes = [...LIMITABLE_SCOPES];
  const keyOfHidden = await keys.made({ name: 'Other key', collections: [hidden.col] });

  const caller = (key: string, right: Right | null, own: Named | null, userId: string): Caller => ({
    api: app.api(key),
    right,
    own,
    ordered: async (named) => ({ ...named, job: await copyOfJob(app, named.job, userId) }),
  });
  const member = async (right: Right | null) => {
    const { key, userId, uuid } = await newMember(app, account);
    const own = right && (await fill(`Of the ${right}`, null, { userId, right }));
    return caller(key, right, own, uuid);
  };
  const service = async (right: Right | null) => {
    const body = { name: 'Agent', role: 'member' };
    const made = await owner.send('POST', '/v1/service-accounts', { body });
    const userId = idOf(expectSuccess(made, 201));
    const own = right && (await fill('Of the service account', null, { userId, right }));
    const { key } = await keys.made({ serviceAccountId: userId, scopes: ROLE_SCOPES.member });
    return caller(key, right, own, decodeId('user', userId) ?? '');
  };
  const limited = await keys.made({ scopes, collections: [open.col] });
  const token = async (only: object) => {
    const body = { scopes: ['documents:read', 'documents:suggest', 'documents:write'], ...only };
    const made = await app.api(limited.key).send('POST', '/v1/tokens', { body });
    return (expectSuccess(made, 201) as { token: string }).token;
  };
  const { userId } = account;
  const callers = {
    'a member without a right': await member(null),
    'a viewer by entry': await member('viewer'),
    'an editor by entry': await member('editor'),
    'a manager by entry': await member('manager'),
    'a service account without a right': await service(null),
    'a service account that is an editor': await service('editor'),
    'a key limited to another collection': caller(limited.key, null, null, userId),
    'an app limited to another collection': caller(
      await appToken(app, limited.id),
      null,
      null,
      userId,
    ),
    'a browser token of a limited key': caller(
      await token({ collections: [open.col] }),
      null,
      null,
      userId,
    ),
    'a browser token for another document': caller(
      await token({ documents: { ids: [open.doc] } }),
      null,
      null,
      userId,
    ),
  };
  return {
    owner,
    open,
    hidden,
    secrets: [
      ...(['doc', 'col', 'anl', 'enh', 'externalId', 'rel'] as const).map((kind) => hidden[kind]),
      'Zanzibar',
    ],
    shared: { wh, key: keyOfHidden.id, ...(await sharedOf(account)) },
    callers,
  };
}

/** Returns a collection with a document of two versions, with an analysis, a proposal, a job, events and deliveries. */
async function filled(
  owner: ApiClient,
  webhook: string,
  { name, parent, people }: { name: string; parent: string | null; people: object[] | undefined },
): Promise<Named> {
  const collection = await newCollection(owner, name, parent);
  if (people) await setAccess(owner, collection, { everyone: null, people: people as never });
  const externalId = `id of ${name}`;
  const body = {
    title: `${name} title`,
    content: `${name} definately has alot of text.`,
    externalId,
    collectionId: collection.id,
  };
  const created = await owner.createDocument(body);
  const doc = idOf(expectSuccess(created, 201));
  expectSuccess(await owner.patchDocument(doc, { title: `${name} title, changed` }));
  const analyzed = await owner.analyzeDocument(doc, {});
  const { id: anl, issues } = expectSuccess(analyzed) as { id: string; issues: { id: string }[] };
  const issueId = issues[0]?.id ?? '';
  expectSuccess(await owner.dismissIssues(doc, { issueIds: [issueId] }));
  const edits = [{ start: 0, end: 0, replacement: `${name} again. ` }];
  const proposed = await owner.send('POST', `/v1/documents/${doc}/proposals`, { body: { edits } });
  const enhanced = await owner.enhanceDocument(doc, {});
  await owner.holdPresence(doc, 'editing');
  const req = String(created.headers['x-request-id']);
  await eventually(async () => (await owner.send('GET', `/v1/requests/${req}`)).status === 200);
  const [event] = expectSuccess(await owner.listEvents({ documentId: doc })) as { id: string }[];
  const deliveries = () => owner.listDeliveries(webhook, { eventId: event?.id ?? '' });
  const release = { title: `${name} release`, items: [{ id: doc, action: 'publish' }] };
  const released = await owner.send('POST', '/v1/releases', { body: release });
  const [delivery] = expectSuccess(await deliveries()) as { id: string }[];
  return {
    doc,
    col: collection.id,
    externalId,
    anl,
    issueId,
    enh: idOf(expectSuccess(proposed, 201)),
    evt: event?.id ?? '',
    job: (enhanced.body.data as { jobId: string }).jobId,
    req,
    dlv: delivery?.id ?? '',
    rel: idOf(expectSuccess(released, 201)),
  };
}

/** Copies a job, as if this person or their keys had ordered it. */
async function copyOfJob(app: TestApp, job: string, userId: string): Promise<string> {
  const id = newUuid();
  await app.dataSource.query(
    `INSERT INTO jobs
     SELECT copy.* FROM jobs AS made,
            LATERAL jsonb_populate_record(made, jsonb_build_object('id', $2::text, 'context',
              jsonb_set(made.context::jsonb, '{principal,user,id}', to_jsonb($3::text)))) AS copy
      WHERE made.id = $1`,
    [decodeId('job', job), id, userId],
  );
  return encodeId('job', id);
}

async function appToken(app: TestApp, key: string): Promise<string> {
  const createdAt = app.clock.now();
  return app.app.get(AccessTokensRepository, { strict: false }).create({
    keyId: decodeId('key', key) ?? '',
    kind: 'access',
    scopes: [...LIMITABLE_SCOPES],
    documents: null,
    minuteLimit: null,
    label: null,
    createdAt,
    expiresAt: new Date(createdAt.getTime() + 3_600_000),
  });
}

async function sharedOf({ api, user }: Account): Promise<Record<string, string>> {
  const body = { name: 'Letter', content: 'Dear {{client}},' };
  const tmpl = idOf(expectSuccess(await api.send('POST', '/v1/templates', { body }), 201));
  const [entry] = expectSuccess(await api.send('GET', '/v1/audit')) as { id: string }[];
  return { tmpl, aud: entry?.id ?? '', user: user.id };
}
