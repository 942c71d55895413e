import { ModulesContainer } from '@nestjs/core';
import type { OpenAPIObject, ParameterObject } from '@nestjs/swagger';
import { request } from 'undici';
import { routesByOperation, type Route } from '../../src/entrypoints/api-document/routes.js';
import { includesRight, type Right } from '../../src/features/auth/access/rights.js';
import { AnalysisProviders } from '../../src/features/analysis/providers/analysis-providers.js';
import { newId } from '../../src/platform/basics/identifiers/identifiers.js';
import { WordListProvider } from '../analysis/word-list-provider.js';
import { ApiDocument, type Operation } from '../openapi/api-document.js';
import { bodyOf, QUERIES } from '../openapi/sample-requests.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { WebhookReceiver } from '../support/webhook-receiver.js';
import { CALLERS, matrixAccount, type MatrixAccount } from './matrix-account.js';
import {
  fieldsNaming,
  isKnown,
  isPlaced,
  kindsInPath,
  NAMING,
  pathWith,
  TELLING,
  type Named,
  type NamingRequest,
} from './matrix-requests.js';

jest.setTimeout(300_000);
// The tests remove what they use.
jest.retryTimes(0);

let app: TestApp;
let receiver: WebhookReceiver;
let document: ApiDocument;
let routes: Map<string, Route>;
let account: MatrixAccount;
beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  app = await startTestApp({
    environment: { PROCESS_ROLE: 'all' },
    overrides: [[AnalysisProviders, new WordListProvider()]],
  });
  const { body } = await app.api().send('GET', '/v1/openapi.json');
  document = new ApiDocument(body as OpenAPIObject);
  routes = routesByOperation(app.app.get(ModulesContainer));
  account = await matrixAccount(app, receiver);
}, 300_000);
afterAll(async () => {
  await app.close();
  await receiver.close();
});

/** New IDs, which nothing has. Old ones get other responses where entries expire. */
const UNKNOWN: Named = {
  doc: newId('document'),
  col: newId('collection'),
  anl: newId('analysis'),
  enh: newId('enhancement'),
  evt: newId('event'),
  job: newId('job'),
  req: newId('request'),
  dlv: newId('delivery'),
  rel: newId('release'),
  externalId: 'id of nobody',
  issueId: 'iss_1',
};

/** Operations of documents or collections that name none. */
const LISTS = ['listCollections', 'listJobs', 'recoverDeliveries', 'testWebhook'];

/** The result of an analysis is in its job. */
const WITHOUT_FILE = 'readJobResult';

/** Only for those who ordered the job or sent the request. */
const OWN = ['job', 'req'];

/** Remove what only exists while its document does. */
const OF_DOCUMENTS = ['deleteSchedule', 'deleteRelease'];

/** Deliveries belong to the account. Of a hidden document, they show no content. */
const WITHOUT_CONTENT = ['readDelivery', 'redeliver'];

/** Responds 409 without an ID if a hidden document has the external ID (docs/adr/0041-reach-and-browser-tokens.md). */
const TAKES_EXTERNAL_ID = 'putDocumentByExternalId';

const LEVELS_OF_PLACES = ['viewer', 'editor', 'manager', 'visible'];

/** Returns the headers to send: a 412 must not tell that something hidden exists. */
function headersOf({ parameters = [] }: Operation): Record<string, string>[] {
  const isConditional = (parameters as ParameterObject[]).some(({ name }) => name === 'If-Match');
  return isConditional ? [{}, { 'if-match': '"none"' }] : [{}];
}

const levelOf = ({ operationId }: Operation) => routes.get(operationId)?.reach.level ?? '';
const placedIn = (operation: Operation) => kindsInPath(operation).filter(isPlaced);

/** Returns the operations whose path leads to a collection. Those that remove something come last. */
function placed(): Operation[] {
  const orderOf = ({ method, operationId }: Operation) => {
    if (method === 'GET') return 0;
    if (!operationId.startsWith('delete')) return 1;
    return OF_DOCUMENTS.includes(operationId) ? 2 : 100 - operationId.length;
  };
  return document
    .operations()
    .filter((operation) => placedIn(operation).length > 0)
    .sort((one, other) => orderOf(one) - orderOf(other));
}

interface Sent extends NamingRequest {
  operation: Operation;
  /** The IDs in the path. */
  at: Named;
  headers?: Record<string, string>;
}

/** Sends a request. Of a stream, only the status and the headers are read. */
async function send(api: ApiClient, { operation, at, headers, ...given }: Sent) {
  const { method, operationId } = operation;
  const path = pathWith(operation, at, account.shared);
  const url = path + (given.query ?? QUERIES[operationId] ?? '');
  if (operationId.startsWith('stream')) return openStream(api, url);
  const body = given.body ?? bodyOf(operation);
  return api.send(method, url, { ...(body && { body }), headers, ...given.options });
}

async function openStream(api: ApiClient, path: string): Promise<ApiResponse> {
  const { origin, key } = api as unknown as { origin: string; key: string };
  const response = await request(origin + path, { headers: { authorization: `Bearer ${key}` } });
  const { statusCode: status, headers } = response;
  if (status === 200) {
    response.body.on('error', () => undefined).destroy();
    return { status, headers, text: '', bytes: Buffer.alloc(0), body: undefined };
  }
  const text = await response.body.text();
  return { status, headers, text, bytes: Buffer.from(text), body: JSON.parse(text) };
}

const VOLATILE = /^(?:x-request-id|date|etag|content-length|location|.*ratelimit.*|retry-after)$/;

/** Returns what a caller can tell two responses apart by, without the IDs that the caller knows. */
function traitsOf({ status, headers, text }: ApiResponse, known: Named): string {
  const scrubbed = Object.values(known as unknown as Record<string, string>).reduce(
    (left, value) => left.replaceAll(value, '…').replaceAll(encodeURIComponent(value), '…'),
    text,
  );
  const names = Object.keys(headers).filter((name) => !VOLATILE.test(name));
  const body = scrubbed
    .replaceAll(/\b[a-z]{2,4}_[0-7][0-9a-hjkmnp-tv-z]{25}/g, 'id')
    .replaceAll(/ds_[a-z]+_\w+/g, 'secret')
    .replaceAll(/"lastFour":"[^"]*"/g, '')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time');
  return JSON.stringify({ status, names: names.sort(), body }, null, 1);
}

/** Returns the secrets in a response that the request did not contain. */
function leaksIn({ text, headers }: ApiResponse, known: Partial<Named>): string[] {
  const all = text + JSON.stringify(headers);
  const sent: string[] = Object.values(known);
  return account.secrets.filter((secret) => all.includes(secret) && !sent.includes(secret));
}

/** Returns how the responses to a hidden and an unknown ID differ, and what they show. */
function problemsOf(
  operation: Operation,
  responses: readonly [hidden: ApiResponse, unknown: ApiResponse],
  ids: readonly [hidden: Named, unknown: Named],
): object[] {
  const [hidden, unknown] = responses.map((response, n) => traitsOf(response, ids[n] ?? UNKNOWN));
  const leaks = leaksIn(responses[0], ids[0]);
  const isFailure = responses.some(({ status }) => status >= 500);
  if (hidden === unknown && leaks.length === 0 && !isFailure) return [];
  return [{ operation: operation.operationId, hidden, unknown, leaks }];
}

/** True if the response is one that this right gives at this level. */
function isExpectedFor(
  { right, level }: { right: Right; level: string },
  { status, body }: ApiResponse,
): boolean {
  const missing = (body as { error?: { details?: { requiredRight?: string } } } | undefined)?.error
    ?.details?.requiredRight;
  return level === 'visible' || includesRight(right, level as Right)
    ? status < 500 && status !== 404 && missing === undefined
    : status === 403 && missing === level;
}

describe('the matrix', () => {
  it('the matrix has a place for every operation, and for every field that names a document or collection', () => {
    const operations = document.operations();
    const strange = operations.flatMap(kindsInPath).filter((kind) => !isKnown(kind));
    expect(strange).toEqual([]);
    const found = operations.map((operation) => [
      operation.operationId,
      fieldsNaming(document, operation),
    ]);
    const covered = operations.map(({ operationId }) => {
      const fields = Object.keys(NAMING[operationId] ?? {}).map((name) => name.replace(/ .*/, ''));
      const others = TELLING[operationId] ?? [];
      return [operationId, [...new Set([...fields, ...others])].sort()];
    });
    expect(Object.fromEntries(covered)).toEqual(Object.fromEntries(found));
    const lists = operations.filter(
      (operation) =>
        LEVELS_OF_PLACES.includes(levelOf(operation)) &&
        placedIn(operation).length === 0 &&
        !(operation.operationId in { ...NAMING, ...TELLING }),
    );
    expect(lists.map(({ operationId }) => operationId)).toEqual(LISTS);
  });

  it('the matrix hides things that exist: their owner can read each of them', async () => {
    const problems: object[] = [];
    for (const operation of placed().filter(({ method }) => method === 'GET')) {
      if (operation.operationId === WITHOUT_FILE) continue;
      const response = await send(account.owner, { operation, at: account.hidden });
      if (response.status !== 200)
        problems.push({ operation: operation.operationId, text: response.text });
    }
    expect(problems).toEqual([]);
  });
});

describe.each(CALLERS)('%s', (name) => {
  // First, because the log of the caller's requests contains the IDs that later tests guess.
  it(`${name} finds no hidden ID, title or name in the response to any operation`, async () => {
    const { api } = account.callers[name];
    const problems: object[] = [];
    for (const operation of document.operations()) {
      if (operation.method !== 'GET' && placedIn(operation).length > 0) continue;
      const isOfHidden = WITHOUT_CONTENT.includes(operation.operationId);
      const at = isOfHidden ? account.hidden : account.open;
      const response = await send(api, { operation, at });
      const leaks = leaksIn(response, {});
      if (response.status >= 500 || leaks.length > 0)
        problems.push({ operation: operation.operationId, leaks, text: response.text });
    }
    expect(problems).toEqual([]);
  });

  it(`${name} gets the same response for a hidden as for an unknown ID in a path`, async () => {
    const caller = account.callers[name];
    const { api } = caller;
    const problems: object[] = [];
    const own = await caller.ordered(account.hidden);
    const { doc } = account.open;
    for (const operation of placed()) {
      if ([...WITHOUT_CONTENT, TAKES_EXTERNAL_ID].includes(operation.operationId)) continue;
      const kinds = placedIn(operation);
      const pairs: [Named, Named][] = [[account.hidden, UNKNOWN]];
      if (kinds.includes('job')) pairs.push([own, UNKNOWN]);
      // Below a document that everyone sees.
      if (kinds.length > 1)
        pairs.push([
          { ...account.hidden, doc },
          { ...UNKNOWN, doc },
        ]);
      for (const [hidden, unknown] of pairs)
        for (const headers of headersOf(operation)) {
          const of = (at: Named) => send(api, { operation, at, headers });
          const responses = [await of(hidden), await of(unknown)] as const;
          problems.push(...problemsOf(operation, responses, [hidden, unknown]));
        }
    }
    expect(problems).toEqual([]);
  });

  it(`${name} gets the same response for a hidden as for an unknown ID in a query or body`, async () => {
    const { api } = account.callers[name];
    const problems: object[] = [];
    for (const operation of document.operations())
      for (const requests of Object.values(NAMING[operation.operationId] ?? {})) {
        const of = (named: Named) =>
          send(api, { operation, at: account.open, ...requests(named, account.open) });
        const responses = [await of(account.hidden), await of(UNKNOWN)] as const;
        problems.push(...problemsOf(operation, responses, [account.hidden, UNKNOWN]));
      }
    expect(problems).toEqual([]);
  });

  it(`${name} can use what the right includes, and reads in the response to others which right is missing`, async () => {
    const { api, right, own } = account.callers[name];
    const { open } = account;
    if (right === null || own === null) return;
    const problems: object[] = [];
    for (const operation of placed()) {
      const level = levelOf(operation);
      if (!LEVELS_OF_PLACES.includes(level)) continue;
      if (placedIn(operation).some((kind) => OWN.includes(kind))) continue;
      // Copies need the right to edit where they go.
      const body =
        operation.operationId === 'copyDocument' ? { collectionId: open.col } : undefined;
      const response = await send(api, { operation, at: own, body });
      const { status, text } = response;
      const isExpected = isExpectedFor({ right, level }, response);
      if (!isExpected || leaksIn(response, {}).length > 0)
        problems.push({ operation: operation.operationId, level, status, text });
    }
    expect(problems).toEqual([]);
  });
});

it('the hidden document and its collection are unchanged', async () => {
  const { owner, hidden } = account;
  const read = await owner.readDocument(hidden.doc);
  expect(read.body.data).toMatchObject({
    title: 'Zanzibar title, changed',
    version: 2,
    collectionId: hidden.col,
  });
});
