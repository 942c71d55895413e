import { eventually } from '../support/eventually.js';
import { randomUUID } from 'node:crypto';
import type { ApiClient, ApiResponse, RequestOptions } from '../support/api-client.js';
import {
  operationsOf,
  readApiDocument,
  type Operation,
} from '../../docs-site/reference/api-document.mjs';
import { requestOf } from '../../docs-site/reference/samples.mjs';
import { SampleSeed } from '../documentation/run/sample-seeds.js';
import { formWith } from '../support/form.js';
import { endOf } from '../support/jobs.js';
import { deliveriesOf, register } from '../webhooks/managed-webhook.js';

/** A request that succeeds, one with a different body to the same path, and one with a body that is refused. */
export interface PostCase {
  path: string;
  first: RequestOptions;
  other?: RequestOptions;
  refused?: RequestOptions;
}

const json = (body: unknown): RequestOptions => ({ body });
const form = (content: string, fields: Record<string, string> = {}): RequestOptions => {
  const { body, contentType } = formWith({ name: 'a.md', content }, fields);
  return { rawBody: body, headers: { 'content-type': contentType } };
};
const ndjson = (rawBody: string): RequestOptions => ({
  rawBody,
  headers: { 'content-type': 'application/x-ndjson' },
});
const made = async (response: Promise<ApiResponse>) => (await response).body.data as { id: string };

async function changedDocument(api: ApiClient): Promise<string> {
  const { id } = await made(api.createDocument({ title: 'A', content: 'a' }));
  await api.patchDocument(id, { title: 'B', content: 'b' });
  return id;
}

const newTemplate = (api: ApiClient) =>
  made(api.createTemplate({ name: 'T', content: '{{a}}', variables: [{ name: 'a' }] }));
const newKey = (api: ApiClient) =>
  made(api.send('POST', '/v1/keys', json({ name: 'K', scopes: ['usage:read'] })));

const newText = (api: ApiClient) =>
  made(api.createDocument({ title: 'A', content: 'It is definately so.' }));

/** Returns the path of a completed enhancement. */
async function newEnhancement(api: ApiClient): Promise<string> {
  const { id } = await newText(api);
  await endOf(api, await api.enhanceDocument(id, {}, { 'Idempotency-Key': randomUUID() }), 90_000);
  const { body } = await api.send('GET', `/v1/documents/${id}/enhancements`);
  const [enhancement] = (body as { data: { id: string }[] }).data;
  return `/v1/documents/${id}/enhancements/${enhancement?.id ?? ''}`;
}

const STYLE_RULES = json({ rules: [{ id: 'a', kind: 'banned', phrases: ['b'] }] });
async function styleRulesPath(api: ApiClient): Promise<string> {
  await api.send('POST', '/v1/style-rules', STYLE_RULES);
  return '/v1/style-rules/1';
}
const valeRule = (token: string) =>
  json({ files: [{ path: 'a/b.yml', content: `extends: existence\ntokens:\n  - ${token}\n` }] });

/** Returns the ID of a draft in an account that publishes. */
async function draftToPublish(api: ApiClient): Promise<string> {
  await api.send('PUT', '/v1/publishing', { body: { enabled: true } });
  return changedDocument(api);
}

async function releasePath(api: ApiClient): Promise<string> {
  const items = [{ id: await draftToPublish(api), action: 'publish' }];
  const { id } = await made(api.send('POST', '/v1/releases', json({ title: 'R', items })));
  return `/v1/releases/${id}`;
}

type Case = (api: ApiClient, archive: string) => Promise<PostCase> | PostCase;

/** POSTs that need more than {@link caseBySample}. `archive` belongs to some account. */
const SPECIAL_CASES: Record<string, Case> = {
  exportAccount: () => ({ path: '/v1/account/export', first: {} }),
  importAccount: (_, archive) => ({
    path: '/v1/account/import',
    first: ndjson(archive),
    other: ndjson(`${archive}\n`),
  }),
  createDocument: () => ({
    path: '/v1/documents',
    first: json({ title: 'T', content: 'x'.repeat(9_000), metadata: { n: 1 } }),
    other: json({ title: 'U' }),
    refused: json({ titel: 'T' }),
  }),
  copyDocument: async (api) => ({
    path: `/v1/documents/${await changedDocument(api)}/copy`,
    first: json({ title: 'T' }),
    other: json({ title: 'U' }),
    refused: json({ titel: 'T' }),
  }),
  batchDocuments: () => ({
    path: '/v1/documents/batch',
    first: json({
      operations: [
        { op: 'create', document: { title: 'T' } },
        { op: 'delete', id: 'x' },
      ],
    }),
    other: json({ operations: [{ op: 'create', document: { title: 'U' } }] }),
    refused: json({ operations: [] }),
  }),
  importDocument: () => ({
    path: '/v1/documents/import',
    first: form('# A\n'),
    other: form('# A\n', { type: 'report' }),
    refused: form('# A\n', { type: 'novel' }),
  }),
  editDocument: async (api) => ({
    path: `/v1/documents/${await changedDocument(api)}/edits`,
    first: json({ edits: [{ op: 'append', text: '!' }] }),
    other: json({ edits: [{ op: 'append', text: '?' }] }),
    refused: json({ edits: [{ op: 'delete', find: 'nowhere' }] }),
  }),
  restoreDocument: async (api) => {
    const id = await changedDocument(api);
    await api.deleteDocument(id);
    return { path: `/v1/documents/${id}/restore`, first: {} };
  },
  publishDocument: async (api) => ({
    path: `/v1/documents/${await draftToPublish(api)}/publish`,
    first: json({}),
    other: json({ version: 1 }),
    refused: json({ version: 0 }),
  }),
  unpublishDocument: async (api) => {
    const id = await draftToPublish(api);
    await api.send('POST', `/v1/documents/${id}/publish`);
    return { path: `/v1/documents/${id}/unpublish`, first: {} };
  },
  discardDocumentChanges: async (api) => {
    const id = await draftToPublish(api);
    await api.send('POST', `/v1/documents/${id}/publish`);
    await api.patchDocument(id, { title: 'U' });
    return { path: `/v1/documents/${id}/discard`, first: {} };
  },
  createRelease: async (api) => {
    const items = [{ id: await draftToPublish(api), action: 'publish' }];
    return {
      path: '/v1/releases',
      first: json({ title: 'R', items }),
      other: json({ title: 'S', items }),
      refused: json({ title: '', items }),
    };
  },
  publishRelease: async (api) => ({ path: `${await releasePath(api)}/publish`, first: {} }),
  cancelRelease: async (api) => ({ path: `${await releasePath(api)}/cancel`, first: {} }),
  restoreVersion: async (api) => ({
    path: `/v1/documents/${await changedDocument(api)}/versions/1/restore`,
    first: {},
  }),
  rotateKey: async (api) => ({
    path: `/v1/keys/${(await newKey(api)).id}/rotate`,
    first: json({}),
    other: json({ graceSeconds: 60 }),
    refused: json({ grace: 'long' }),
  }),
  previewTemplate: async (api) => ({
    path: `/v1/templates/${(await newTemplate(api)).id}/preview`,
    first: json({ templateVariables: { a: 'x' } }),
    other: json({ templateVariables: { a: 'y' } }),
    refused: json({ templateVariables: { a: [] } }),
  }),
  restoreTemplateVersion: async (api) => {
    const { id } = await newTemplate(api);
    await api.patchTemplate(id, { name: 'U' });
    return { path: `/v1/templates/${id}/versions/1/restore`, first: {} };
  },
  analyzeDocument: async (api) => ({
    path: `/v1/documents/${(await newText(api)).id}/analyze`,
    first: json({}),
    other: json({ checks: ['spelling'] }),
    refused: json({ checks: ['speling'] }),
  }),
  enhanceDocument: async (api) => ({
    path: `/v1/documents/${(await newText(api)).id}/enhance`,
    first: json({}),
    other: json({ goals: ['correct'] }),
    refused: json({ goals: ['better'] }),
  }),
  applySuggestions: async (api) => ({
    path: `${await newEnhancement(api)}/apply`,
    first: json({ suggestionIds: 'all' }),
    other: json({ suggestionIds: 'all', safe: true }),
    refused: json({ suggestionIds: 3 }),
  }),
  acceptSuggestions: async (api) => {
    const path = await newEnhancement(api);
    const { suggestions } = (await api.send('GET', path)).body.data as {
      suggestions: { id: string }[];
    };
    const ids = suggestions.map(({ id }) => id);
    return {
      path: `${path}/accept`,
      first: json({ suggestionIds: ids }),
      other: json({ suggestionIds: ids.slice(1) }),
      refused: json({ suggestionIds: 'all' }),
    };
  },
  rejectSuggestions: async (api) => ({
    path: `${await newEnhancement(api)}/reject`,
    first: json({ suggestionIds: 'all' }),
    other: json({ suggestionIds: ['iss_1'] }),
    refused: json({ suggestionIds: 3 }),
  }),
  withdrawProposal: async (api) => {
    const { id } = await newText(api);
    const { id: proposal } = await made(
      api.send('POST', `/v1/documents/${id}/proposals`, json({ title: 'B' })),
    );
    return {
      path: `/v1/documents/${id}/enhancements/${proposal}/withdraw`,
      first: {},
      other: json({}),
      refused: json({ all: true }),
    };
  },
  proposeChanges: async (api) => ({
    path: `/v1/documents/${(await newText(api)).id}/proposals`,
    first: json({ title: 'B' }),
    other: json({ title: 'C' }),
    refused: json({}),
  }),
  dismissIssues: async (api) => {
    const content = 'We recieve the letter today. They definately wrote it.';
    const { id } = await made(api.createDocument({ title: 'A', content }));
    // 202 until the engine is loaded.
    const response = await eventually(
      () => api.analyzeDocument(id, { language: 'en' }),
      ({ status }) => status === 200,
    );
    const [one, other] = (response.body.data as { issues: { id: string }[] }).issues;
    return {
      path: `/v1/documents/${id}/dismissals`,
      first: json({ issueIds: [one?.id] }),
      other: json({ issueIds: [other?.id] }),
      refused: json({ issueIds: ['iss_1'] }),
    };
  },
  createStyleRules: () => ({
    path: '/v1/style-rules',
    first: STYLE_RULES,
    other: json({ rules: [] }),
    refused: json({ rules: 1 }),
  }),
  testStyleRules: () => ({
    path: '/v1/style-rules/test',
    first: json({ rules: [], content: 'a' }),
    other: json({ rules: [], content: 'b' }),
    refused: json({ rules: 1, content: 'a' }),
  }),
  importStyleRules: () => ({
    path: '/v1/style-rules/import',
    first: valeRule('one'),
    other: valeRule('two'),
    refused: json({ files: [] }),
  }),
  activateStyleRules: async (api) => ({
    path: `${await styleRulesPath(api)}/activate`,
    first: {},
  }),
  deactivateStyleRules: () => ({ path: '/v1/style-rules/deactivate', first: {} }),
  dryRunStyleRules: async (api) => ({ path: `${await styleRulesPath(api)}/dry-run`, first: {} }),
  redeliver: async (api) => {
    const webhook = await register(api);
    await api.createDocument({ title: 'T' });
    const [delivery] = await deliveriesOf(api, webhook);
    const path = `/v1/webhooks/${webhook}/deliveries/${delivery?.id ?? ''}/redeliver`;
    return { path, first: {}, other: json({}), refused: json({ now: true }) };
  },
  recoverDeliveries: async (api) => ({
    path: `/v1/webhooks/${await register(api)}/recover`,
    first: json({ since: '2026-01-01T00:00:00Z' }),
    other: json({ since: '2026-01-02T00:00:00Z' }),
    refused: json({ since: 'long ago' }),
  }),
  rotateWebhookSecret: async (api) => ({
    path: `/v1/webhooks/${await register(api)}/rotate-secret`,
    first: json({}),
    other: json({ secret: 'another secret of some length' }),
    refused: json({ secret: '' }),
  }),
  testWebhook: async (api) => ({
    path: `/v1/webhooks/${await register(api)}/test`,
    first: {},
    other: json({}),
    refused: json({ loud: true }),
  }),
};

const document = readApiDocument();

/** Every POST of the API by operation id. */
export const POST_CASES: Readonly<Record<string, Case>> = Object.fromEntries(
  operationsOf(document)
    .filter(({ method }) => method === 'POST')
    .map((one) => [one.operationId, SPECIAL_CASES[one.operationId] ?? caseBySample(one)]),
);

const canGrow = (value: unknown) => typeof value === 'string' || Array.isArray(value);

/** Returns a case that sends the sample of the reference, a body with another value, and one with an unknown field. */
function caseBySample(operation: Operation): Case {
  return async (api) => {
    const { path, body } = requestOf(document, operation);
    const address = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => String(path[name]));
    const sample = JSON.stringify({ path: address, body });
    const seeded = await new SampleSeed(api, operation.operationId, sample).seeded();
    const sent = JSON.parse(seeded) as { path: string; body?: Record<string, string | string[]> };
    const changed = Object.entries(sent.body ?? {}).find(([, value]) => canGrow(value));
    return {
      path: sent.path,
      first: json(sent.body),
      ...(changed && { other: json({ ...sent.body, [changed[0]]: changed[1].concat('!') }) }),
      refused: json({ ...sent.body, unknownField: true }),
    };
  };
}

/** Sends the request with an Idempotency-Key. */
export const sendKeyed = (
  api: ApiClient,
  path: string,
  key: string,
  options: RequestOptions = {},
) =>
  api.send('POST', path, {
    ...options,
    headers: { ...options.headers, 'Idempotency-Key': key },
  });

export const isReplayed = ({ headers }: ApiResponse) => headers['idempotency-replayed'] === 'true';
