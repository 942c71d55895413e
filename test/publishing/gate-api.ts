import { randomUUID } from 'node:crypto';
import type {
  AnalysisOutcome,
  AnalysisRequest,
} from '@document-service/text-analysis/analysis-request';
import { OFFLINE_ENGINE } from '@document-service/text-analysis/engine-version';
import { AnalysisOrdersService } from '../../src/features/analysis/analyses/analysis-orders.service.js';
import { AnalysisProviders } from '../../src/features/analysis/providers/analysis-providers.js';
import { WordListProvider } from '../analysis/word-list-provider.js';
import { actOn, createRelease, publishing } from '../releases/releases-api.js';
import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { startTestApp, type TestApp } from '../support/app.js';
import { expectSuccess } from '../support/envelope.js';
import { endOf } from '../support/jobs.js';
import { act, newDocument, publishingAccount, type PublishedDocument } from './publishing-api.js';

/** A text in which the provider finds nothing. */
export const GOOD = 'The cat sat on the mat.';
/** Has an error. */
export const WRONG = 'We saw teh cat there.';
/** Has a score of 40. */
export const DULL = 'This text is rather dull.';
/** Is in a language without checks. */
export const FINNISH = 'Tämä on suomea, eikä sitä tarkisteta.';
/** Has more issues than an analysis lists. */
export const LONG = 'This text is very long.';

/** An engine that knows the texts above. It has the version of the offline engine, so that its analyses are up to date. */
export class GateProvider extends WordListProvider {
  override readonly engine = OFFLINE_ENGINE;

  override async analyze(request: AnalysisRequest): Promise<AnalysisOutcome> {
    const { result, ...outcome } = await super.analyze(request);
    const { content } = request;
    const hasChecks = content !== FINNISH;
    const overall = hasChecks ? (content === DULL ? 40 : outcome.overall) : null;
    const parsed = JSON.parse(result) as { scores: object };
    const basis = {
      correctness: hasChecks ? 'full' : 'none',
      clarity: 'sentence length',
      engagement: 'partial',
    };
    const issuesOmitted = content === LONG ? 3 : 0;
    const scores = { ...parsed.scores, overall, basis };
    return { ...outcome, overall, result: JSON.stringify({ ...parsed, scores, issuesOmitted }) };
  }

  /** Makes analyses wait until the returned function is called. */
  hold(): () => void {
    let release: () => void = () => undefined;
    this.until = new Promise<void>((resolve) => {
      release = resolve;
    });
    return release;
  }
}

/** Starts the service with workers. */
export function startGateApp(provider: GateProvider): Promise<TestApp> {
  return startTestApp({
    environment: { PROCESS_ROLE: 'all' },
    overrides: [[AnalysisProviders, provider]],
  });
}

/** Makes requests wait only so long for analyses. */
export function setWait({ app }: TestApp, waitMs: number): void {
  app.get(AnalysisOrdersService, { strict: false }).waitMs = waitMs;
}

/** Runs `work` while no analysis is completed. Requests do not wait long for them. */
export async function withoutAnalyses<Result>(
  app: TestApp,
  provider: GateProvider,
  work: () => Promise<Result>,
): Promise<Result> {
  const end = provider.hold();
  setWait(app, 100);
  try {
    return await work();
  } finally {
    end();
    setWait(app, 5_000);
  }
}

/** Creates an account that publishes by these rules. */
export const gatedAccount = (app: TestApp, ...rules: object[]) => publishingAccount(app, { rules });

/** Returns the analysis of the current version. */
export async function analyzed(api: ApiClient, { id }: { id: string }): Promise<Analysis> {
  const response = await api.analyzeDocument(id, {});
  if (response.status === 200) return expectSuccess(response) as Analysis;
  await endOf(api, response);
  return analyzed(api, { id });
}

interface Analysis {
  id: string;
  issues: { id: string }[];
}

/** Creates a document with an analysis. */
export async function analyzedDocument(
  api: ApiClient,
  content: string,
  more: object = {},
): Promise<PublishedDocument> {
  const document = await newDocument(api, { title: 'Text', content, ...more });
  await analyzed(api, document);
  return document;
}

interface Problem {
  check: string;
  issue: string;
  analysisId?: string;
}

/** Returns the problems in a refusal by rules; none if the request was successful. */
export function problemsIn({ status, body }: ApiResponse): Problem[] {
  if (status < 300) return [];
  return problemsOf(body.error as Failure);
}

interface Failure {
  details: { reason?: string; problems?: Problem[]; items?: { problems: Problem[] }[] };
}

function problemsOf({ details }: Failure): Problem[] {
  if (details.reason === 'items') return details.items?.[0]?.problems ?? [];
  expect(details.reason).toBe('checks');
  return details.problems ?? [];
}

/** Returns the problems in the first refused operation of a batch. */
function problemsInBatch(response: ApiResponse): Problem[] {
  const { results } = expectSuccess(response) as { results: { error?: Failure }[] };
  const failed = results.find(({ error }) => error !== undefined);
  return failed?.error ? problemsOf(failed.error) : [];
}

type Way = (api: ApiClient, document: PublishedDocument) => Promise<Problem[]>;

const batched =
  (atomic: boolean, operationOf: (id: string) => object): Way =>
  async (api, { id }) =>
    problemsInBatch(await api.batchDocuments({ atomic, operations: [operationOf(id)] }));

const PUBLISHED = { status: 'published' };

/** All ways to the status `published` over HTTP. Each returns the problems of a refusal. */
export const WAYS: Record<string, Way> = {
  publish: async (api, document) => problemsIn(await act(api, document, 'publish')),
  'a keyed publish': async (api, document) => {
    const headers = { 'Idempotency-Key': randomUUID() };
    return problemsIn(await act(api, document, 'publish', undefined, headers));
  },
  'publish with the version': async (api, document) =>
    problemsIn(await act(api, document, 'publish', { version: document.version })),
  PATCH: async (api, { id }) => problemsIn(await api.patchDocument(id, PUBLISHED)),
  PUT: async (api, { id, title, content }) =>
    problemsIn(await api.replaceDocument(id, { title, content, ...PUBLISHED })),
  'an upsert': async (api, { id, title, content }) => {
    expectSuccess(await api.patchDocument(id, { externalId: id }));
    const path = `/v1/documents/by-external-id/${id}`;
    return problemsIn(await api.send('PUT', path, { body: { title, content, ...PUBLISHED } }));
  },
  'an operation of a batch': batched(false, (id) => ({ op: 'update', id, patch: PUBLISHED })),
  'an atomic batch': batched(true, (id) => ({ op: 'update', id, patch: PUBLISHED })),
  'publish in a batch': batched(false, (id) => ({ op: 'publish', id })),
  'publish in an atomic batch': batched(true, (id) => ({ op: 'publish', id })),
  'a release': async (api, document) => {
    const release = await createRelease(api, { items: [publishing(document)] });
    return problemsIn(await actOn(api, expectSuccess(release, 201) as { id: string }, 'publish'));
  },
};

/** Returns whether readers get a document. */
export async function isLive(api: ApiClient, { id }: { id: string }): Promise<boolean> {
  return (await api.send('GET', `/v1/documents/${id}?version=published`)).status === 200;
}

export const checksOf = (problems: readonly Problem[]) => problems.map(({ check }) => check);
