import type { ApiClient, ApiResponse } from '../support/api-client.js';
import { expectSuccess } from '../support/envelope.js';

/** A document in the model. Times are ISO 8601 with milliseconds, which sort as text. */
export interface ModelDocument {
  id: string;
  title: string;
  content: string;
  type: string;
  status: string;
  metadata: Record<string, unknown>;
  createdBy: string;
  templateId: string | null;
  wordCount: number;
  createdAt: string;
  updatedAt: string;
  deleted: boolean;
}

/**
 * A query for lists and facets. Several values of a filter match any of them, but several tags must all match. `q`
 * contains words and quoted phrases that must all occur, without stemming.
 */
export interface ModelQuery {
  ids?: readonly string[];
  type?: readonly string[];
  status?: readonly string[];
  tag?: readonly string[];
  department?: readonly string[];
  project?: readonly string[];
  metadata?: Record<string, readonly string[]>;
  createdBy?: readonly string[];
  templateId?: readonly string[];
  /** Places are not part of {@link ModelDocument}: callers check them. */
  collection?: readonly string[];
  createdAfter?: string;
  createdBefore?: string;
  updatedAfter?: string;
  updatedBefore?: string;
  deleted?: boolean;
  q?: readonly string[];
}

/** Scans all documents in memory. Returns those that a query must find, in no particular order. */
export function scan(documents: readonly ModelDocument[], query: ModelQuery): ModelDocument[] {
  return documents.filter((document) => holds(document, query));
}

/** Returns true if a query must find the document. */
export function holds(document: ModelDocument, query: ModelQuery): boolean {
  const { metadata } = document;
  const tags = (metadata['tags'] ?? []) as string[];
  const texts = textsOf(document);
  return [
    document.deleted === (query.deleted ?? false),
    equal(query.ids, document.id),
    equal(query.type, document.type),
    equal(query.status, document.status),
    (query.tag ?? []).every((tag) => tags.includes(tag)),
    equal(query.department, metadata['department']),
    equal(query.project, metadata['project']),
    Object.entries(query.metadata ?? {}).every(([path, values]) =>
      leaves(metadata).some((leaf) => leaf.path === path && values.includes(leaf.text)),
    ),
    equal(query.createdBy, document.createdBy),
    equal(query.templateId, document.templateId),
    query.createdAfter === undefined || document.createdAt >= query.createdAfter,
    query.createdBefore === undefined || document.createdAt < query.createdBefore,
    query.updatedAfter === undefined || document.updatedAt >= query.updatedAfter,
    query.updatedBefore === undefined || document.updatedAt < query.updatedBefore,
    (query.q ?? []).every((literal) => isFound(literal, texts)),
  ].every(Boolean);
}

/**
 * A word, or a character of a script without spaces, without accents. `joined` means that only punctuation separates it
 * from the previous one.
 */
interface Part {
  text: string;
  isCharacter: boolean;
  isJoined: boolean;
}

/** Stop words that occur in generated texts. */
const STOP_WORDS = new Set(['at', 't', 'don']);
const HAN = /^\p{Script=Han}/u;

function partsOf(text: string): Part[] {
  const folded = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  return folded.split(/\s+/).flatMap((token) => {
    const parts = token.match(/\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu) ?? [];
    return parts.map((part, index) => ({
      text: part,
      isCharacter: HAN.test(part),
      isJoined: index > 0,
    }));
  });
}

/** Title and content, in parts. */
export function textsOf({ title, content }: ModelDocument): Part[][] {
  return [title, content].map(partsOf);
}

/** Stop words are ignored next to other words. Alone, they are found even where punctuation joins them. */
export function isFound(literal: string, texts: readonly Part[][]): boolean {
  const wanted = partsOf(literal);
  const characters = wanted.filter(({ isCharacter }) => isCharacter);
  const words = wanted.filter(({ text, isCharacter }) => !isCharacter && !STOP_WORDS.has(text));
  if (literal.startsWith('"') || words.length + characters.length === 0) {
    const joined = !literal.startsWith('"');
    return texts.some((text) => stands(wanted, text, joined));
  }
  return (
    words.every((word) => texts.flat().some(({ text }) => text === word.text)) &&
    texts.some((text) => stands(characters, text, true))
  );
}

/** Returns true if the parts follow each other in a text, joined where required. */
function stands(wanted: readonly Part[], text: readonly Part[], joined: boolean): boolean {
  return [...text.keys(), text.length].some((begin) =>
    wanted.every((part, index) => {
      const there = text[begin + index];
      return there?.text === part.text && (!joined || index === 0 || there.isJoined);
    }),
  );
}

function equal(wanted: readonly string[] | undefined, value: unknown): boolean {
  return wanted === undefined || wanted.includes(value as string);
}

function leaves(value: unknown, path = ''): { path: string; text: string }[] {
  if (value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => leaves(item, path));
  if (typeof value === 'object') {
    return Object.entries(value).flatMap(([key, member]) =>
      leaves(member, path === '' ? key : `${path}.${key}`),
    );
  }
  return [{ path, text: JSON.stringify(value).replace(/^"|"$/g, '') }];
}

const KEYS: Record<string, (document: ModelDocument) => string | number> = {
  created_at: ({ createdAt }) => createdAt,
  updated_at: ({ updatedAt }) => updatedAt,
  title: ({ title }) => title,
  word_count: ({ wordCount }) => wordCount,
};

/** Returns the value by which a list sorts a document. */
export function keyOf(document: ModelDocument, sort: string): string | number {
  const key = KEYS[sort];
  if (!key) throw new Error(`no model of sort ${sort}`);
  return key(document);
}

/** Returns ids in the order of a list. Titles must only contain characters of the Basic Multilingual Plane. */
export function sorted(documents: readonly ModelDocument[], sort: string, order: string): string[] {
  const key = KEYS[sort];
  if (!key) throw new Error(`no model of sort ${sort}`);
  const sign = order === 'asc' ? 1 : -1;
  const compare = (one: string | number, other: string | number) =>
    one < other ? -1 : Number(one > other);
  return [...documents]
    .sort((one, other) => sign * (compare(key(one), key(other)) || compare(one.id, other.id)))
    .map(({ id }) => id);
}

/** Counts documents by value for each facet. */
export function countFacets(
  documents: readonly ModelDocument[],
): Record<string, Map<string, number>> {
  const facets: Record<string, Map<string, number>> = {};
  const values: Record<string, (document: ModelDocument) => string[]> = {
    type: ({ type }) => [type],
    status: ({ status }) => [status],
    tag: ({ metadata }) => [...new Set((metadata['tags'] ?? []) as string[])],
    department: ({ metadata }) => [(metadata['department'] as string | undefined) ?? []].flat(),
    project: ({ metadata }) => [(metadata['project'] as string | undefined) ?? []].flat(),
  };
  for (const [facet, valuesOf] of Object.entries(values)) {
    const counts = new Map<string, number>();
    for (const value of documents.flatMap(valuesOf))
      counts.set(value, (counts.get(value) ?? 0) + 1);
    facets[facet] = counts;
  }
  return facets;
}

/** Sends the same query over HTTP. */
export function ask(
  api: ApiClient,
  { metadata = {}, q, deleted, ...rest }: ModelQuery,
  more: Record<string, string | number | undefined> = {},
  path = '/v1/documents',
): Promise<ApiResponse> {
  const pairs: [string, unknown][] = [
    ...Object.entries({ ...rest, ...more }),
    ...Object.entries(metadata).map(([key, values]): [string, unknown] => [
      `metadata.${key}`,
      values,
    ]),
    ['q', q?.join(' ')],
    ['deleted', deleted],
  ];
  const given = pairs.flatMap(([name, value]) => [value].flat().map((one) => [name, one] as const));
  const search = new URLSearchParams(
    given
      .filter(([, value]) => value !== undefined)
      .map(([name, value]): [string, string] => [name, String(value)]),
  );
  return api.send('GET', `${path}?${search.toString()}`);
}

/** Expects that the facets of a query count these documents, most frequent first. */
export async function expectFacets(
  api: ApiClient,
  asked: ModelQuery,
  matching: readonly ModelDocument[],
): Promise<void> {
  const response = await ask(api, asked, {}, '/v1/documents/facets');
  const facets = expectSuccess(response) as Record<string, { value: string; count: number }[]>;
  const counted = Object.entries(facets).map(([facet, values]) => [
    facet,
    new Map(values.map(({ value, count }) => [value, count])),
  ]);
  expect(Object.fromEntries(counted)).toEqual(countFacets(matching));
  for (const values of Object.values(facets)) {
    const counts = values.map(({ count }) => count);
    expect(counts).toEqual([...counts].sort((one, other) => other - one));
  }
}
