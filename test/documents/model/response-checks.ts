import { isDeepStrictEqual } from 'node:util';
import type { ApiResponse } from '../../support/api-client.js';
import { newest } from './document-model.js';
import type { DocumentState, Outcome, VersionState } from './model-types.js';
import { textOf } from './json-tree.js';
import type { Expectation } from './operations.js';

/** Values that the model cannot know. */
export interface Account {
  user: object;
  /** Ids in the order in which documents were created. */
  ids: Map<number, string>;
}

const CODES: Record<number, string> = { 403: 'FORBIDDEN', 404: 'NOT_FOUND' };

/** Returns the differences between a response and the model. */
export function differences(
  expected: Expectation,
  response: ApiResponse,
  account: Account,
  versionOf: (ref: number, number: number) => VersionState | undefined,
): string[] {
  switch (expected.of) {
    case 'operation':
      return operationDifferences(expected.outcome, response, account);
    case 'batch': {
      const results = response.body.data.results as {
        status: number;
        data?: object;
        error?: object;
      }[];
      if (response.status !== 200 || results.length !== expected.outcomes.length) {
        return [`batch: ${response.text}`];
      }
      return expected.outcomes.flatMap((outcome, index) =>
        resultDifferences(outcome, { ...results[index], text: response.text }, account),
      );
    }
    case 'read':
      if (!expected.unchanged) return operationDifferences(expected.outcome, response, account);
      return differing('304 without a body', [response.status, response.text], [304, '']);
    case 'version': {
      const version = versionOf(expected.ref, expected.number);
      if (!version) return failureDifferences({ status: 404 }, response);
      return versionDifferences(version, response, account);
    }
  }
}

function operationDifferences(outcome: Outcome, response: ApiResponse, account: Account): string[] {
  const { status, headers, text, body } = response;
  if (outcome.status >= 400) return failureDifferences(outcome, response);
  const inside = { status, data: body.data as object, text };
  const found = resultDifferences(outcome, inside, account);
  if (!('document' in outcome) || found.length > 0) return found;
  const tag = `"${String(newest(outcome.document).number)}"`;
  const id = account.ids.get(outcome.document.ref) ?? '';
  return [
    ...differing('ETag', headers['etag'], tag),
    ...differing(
      'Location',
      headers['location'],
      status === 201 ? `/v1/documents/${id}` : undefined,
    ),
  ];
}

function failureDifferences(outcome: Outcome, { status, body }: ApiResponse): string[] {
  const { success, error } = body as { success: boolean; error: object };
  return [
    ...differing('success', success, false),
    ...resultDifferences(outcome, { status, error, text: '' }, { user: {}, ids: new Map() }),
  ];
}

interface Result {
  status?: number;
  data?: object;
  error?: { code?: string; details?: Record<string, unknown> };
  text: string;
}

function resultDifferences(outcome: Outcome, result: Result, account: Account): string[] {
  const { status, data, error, text } = result;
  const found = differing('status', status, outcome.status);
  if (found.length > 0) return [...found, JSON.stringify(error ?? data)];
  if ('document' in outcome) {
    const { ref } = outcome.document;
    // The model learns the id of a new document from the response.
    if (!account.ids.has(ref)) account.ids.set(ref, (data as { id: string }).id);
    return documentDifferences(outcome.document, data ?? {}, text, account);
  }
  if ('deleted' in outcome) {
    const { ref, restorableUntil } = outcome.deleted;
    return differing('data', data, {
      id: account.ids.get(ref),
      deleted: true,
      permanent: restorableUntil === null,
      restorableUntil: restorableUntil === null ? null : new Date(restorableUntil).toISOString(),
    });
  }
  const code = CODES[outcome.status] ?? 'INVALID_REQUEST';
  return [
    ...differing('code', error?.code, code),
    ...Object.entries(outcome.details ?? {}).flatMap(([name, value]) =>
      differing(`details.${name}`, error?.details?.[name], value),
    ),
  ];
}

function documentDifferences(
  document: DocumentState,
  data: object,
  text: string,
  { user, ids }: Account,
): string[] {
  const version = newest(document);
  const rest = withoutOpenObjects(data);
  const { title, type, content, status, wordCount, number, at } = version;
  return [
    ...differing('document', rest, {
      ...{
        id: ids.get(document.ref),
        title,
        type,
        content,
        status,
        wordCount,
        externalId: null,
        collectionId: null,
        templateId: null,
      },
      version: number,
      createdAt: new Date(document.versions[0]?.at ?? 0).toISOString(),
      updatedAt: new Date(at).toISOString(),
      createdBy: user,
      updatedBy: user,
    }),
    ...objectDifferences(version, text),
  ];
}

/** Returns the differences between a returned version and the model's. */
export function versionDifferences(
  version: VersionState,
  { status, body, text }: ApiResponse,
  { user }: Account,
): string[] {
  const rest = withoutOpenObjects(body.data as object);
  const { title, type, content, status: state, wordCount, number, changes, at } = version;
  return [
    ...differing('status', status, 200),
    ...differing('version', rest, {
      ...{ number, title, type, content, status: state, wordCount, externalId: null, changes },
      author: user,
      createdAt: new Date(at).toISOString(),
      origin: null,
    }),
    ...objectDifferences(version, text),
  ];
}

function withoutOpenObjects(data: object): object {
  const members = Object.entries(data);
  return Object.fromEntries(members.filter(([name]) => !['metadata', 'aiSettings'].includes(name)));
}

/** Compared as spelled. */
function objectDifferences({ metadata, aiSettings }: VersionState, text: string): string[] {
  const spelled = `"metadata":${textOf(metadata)},"aiSettings":${textOf(aiSettings)}`;
  return text.includes(spelled) ? [] : [`not to the letter: ${spelled} in ${text}`];
}

export function differing(what: string, actual: unknown, expected: unknown): string[] {
  // JSON, because database rows are objects of another realm.
  if (isDeepStrictEqual(plain(actual), plain(expected))) return [];
  return [`${what}: ${JSON.stringify(actual)} and not ${JSON.stringify(expected)}`];
}

function plain(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}
