import { createHash } from 'node:crypto';
import { parseMoment } from '../../clock/moment.js';
import { uuidOf } from '../../identifiers/identifiers.js';
import type { DocumentFiltersDto } from '../dto/document-filters.dto.js';
import { readSearch, type Literal } from './search-words.js';

type Filter = readonly [field: string, key: string | null, value: string];

/** Documents that may wait for the index. Beyond that it is brought up to date first: looking at each costs more. */
const MOST_WAITING = 2_000;
/** The same where each must be taken apart into words, and bytes of their contents. */
const MOST_WAITING_FOR_WORDS = 100;
const MOST_WAITING_BYTES = 512 * 1024;

/** What the database function `search_matches` takes; ranges include their first moment and exclude their last. */
export interface SearchRequest {
  deleted: boolean;
  /** Field, key of metadata, and value; all must hold. */
  filters: Filter[];
  createdFrom: string | undefined;
  createdTo: string | undefined;
  updatedFrom: string | undefined;
  updatedTo: string | undefined;
  /** Alternatives, each a list of literals that must all hold; of a loose one the parts are enough, wherever they stand. */
  groups: (Literal & { loose?: true })[][] | undefined;
  ranked: boolean;
  /** Documents that may wait for the index before it is brought up to date first. */
  mostWaiting: number;
  mostWaitingBytes: number | undefined;
}

/** Whether a request asks for less than all documents that are not deleted. */
export function isFiltered(request: SearchRequest): boolean {
  const { deleted, filters, groups, createdFrom, createdTo, updatedFrom, updatedTo } = request;
  const others = [groups, createdFrom, createdTo, updatedFrom, updatedTo];
  return deleted || filters.length > 0 || others.some((condition) => condition !== undefined);
}

/** The conditions of a query; `ranked` asks how well documents match, not only whether. */
export function searchRequest(
  query: DocumentFiltersDto,
  { ranked }: { ranked: boolean },
): SearchRequest {
  return {
    deleted: query.deleted === 'true',
    filters: filtersOf(query),
    createdFrom: momentOf(query.createdAfter),
    createdTo: momentOf(query.createdBefore),
    updatedFrom: momentOf(query.updatedAfter),
    updatedTo: momentOf(query.updatedBefore),
    groups: query.q === undefined ? undefined : readSearch(query.q),
    ranked,
    mostWaiting: query.q === undefined ? MOST_WAITING : MOST_WAITING_FOR_WORDS,
    mostWaitingBytes: query.q === undefined ? undefined : MOST_WAITING_BYTES,
  };
}

/** The same, with the parts of phrases and stretches of characters for themselves, but for what must not be there. */
export function loosened(request: SearchRequest): SearchRequest {
  const groups = request.groups?.map((literals) =>
    literals.map((literal) => (literal.negated ? literal : { ...literal, loose: true as const })),
  );
  return { ...request, groups };
}

function filtersOf(query: DocumentFiltersDto): Filter[] {
  const { type, status, department, project, createdBy, templateId } = query;
  const plain: [field: string, key: string | null, value: string | undefined][] = [
    ['type', null, type],
    ['status', null, status],
    ['createdBy', null, createdBy && uuidOf('user', createdBy)],
    ['templateId', null, templateId && uuidOf('template', templateId)],
    ['metadata', 'department', department],
    ['metadata', 'project', project],
  ];
  const repeated: [key: string, values: readonly string[]][] = [
    ['tags', query.tag ?? []],
    ...(query.metadata ?? []).map(([key, values]): [string, string[]] => [key, [values].flat()]),
  ];
  return [
    ...plain.filter((filter): filter is [string, string | null, string] => filter[2] !== undefined),
    ...repeated.flatMap(([key, values]) => values.map((value): Filter => ['metadata', key, value])),
  ];
}

function momentOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : parseMoment(text)?.toISOString();
}

/** The conditions of a request in a few characters, for cursors; empty without one, as of a list that is not searched. */
export function fingerprintOf(request: SearchRequest): string {
  if (!isFiltered(request)) return '';
  const { deleted, filters, createdFrom, createdTo, updatedFrom, updatedTo, groups } = request;
  const asked = groups?.map((literals) =>
    literals.map(({ text, phrase, negated }): Literal => ({ text, phrase, negated })),
  );
  const conditions = [deleted, filters, createdFrom, createdTo, updatedFrom, updatedTo, asked];
  return createHash('sha256').update(JSON.stringify(conditions)).digest('base64url').slice(0, 12);
}
