import { createHash } from 'node:crypto';
import { parseMoment } from '../clock/moment.js';
import { uuidOf } from '../identifiers/identifiers.js';
import type { FilterField, SearchRequest } from '../search/search-provider.js';
import { readSearch } from '../search/search-words.js';
import type { DocumentFiltersDto } from './dto/document-filters.dto.js';

/** The conditions of a query. */
export function searchRequest(query: DocumentFiltersDto): SearchRequest {
  const fields: [FilterField, string | undefined][] = [
    ['type', query.type],
    ['status', query.status],
    ['created_by', query.createdBy && uuidOf('user', query.createdBy)],
    ['template_id', query.templateId && uuidOf('template', query.templateId)],
  ];
  const labels: [path: string, values: readonly string[]][] = [
    ['department', query.department === undefined ? [] : [query.department]],
    ['project', query.project === undefined ? [] : [query.project]],
    ['tags', query.tag ?? []],
    ...(query.metadata ?? []).map(([path, values]): [string, string[]] => [path, [values].flat()]),
  ];
  return {
    deleted: query.deleted === 'true',
    fields: fields.filter((field): field is [FilterField, string] => field[1] !== undefined),
    labels: labels.flatMap(([path, values]) =>
      values.map((value): [string, string] => [path, value]),
    ),
    created: { from: momentOf(query.createdAfter), to: momentOf(query.createdBefore) },
    updated: { from: momentOf(query.updatedAfter), to: momentOf(query.updatedBefore) },
    words: query.q === undefined ? undefined : readSearch(query.q),
  };
}

function momentOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : parseMoment(text);
}

/** The conditions of a request in a few characters, for cursors. */
export function fingerprintOf(request: SearchRequest): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('base64url').slice(0, 12);
}
