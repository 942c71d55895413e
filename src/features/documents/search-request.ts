import { createHash } from 'node:crypto';
import { parseMoment } from '../../platform/basics/clock/moment.js';
import { uuidOf, type IdKind } from '../../platform/basics/identifiers/identifiers.js';
import type { FilterField, SearchRequest } from '../search/search-provider.js';
import { readSearch } from '../search/search-words.js';
import type { DocumentFiltersDto } from './dto/document-filters.dto.js';

/** The conditions of a query. */
export function searchRequest(query: DocumentFiltersDto): SearchRequest {
  const fields: [FilterField, readonly string[]][] = [
    ['id', uuidsOf('document', query.ids)],
    ['external_id', query.externalId ?? []],
    ['type', query.type ?? []],
    ['status', query.status ?? []],
    ['created_by', uuidsOf('user', query.createdBy)],
    ['template_id', uuidsOf('template', query.templateId)],
  ];
  const labels: [path: string, values: readonly string[]][] = [
    ['department', query.department ?? []],
    ['project', query.project ?? []],
    // A document must have all of the tags.
    ...(query.tag ?? []).map((tag): [string, string[]] => ['tags', [tag]]),
    ...(query.metadata ?? []).map(([path, values]): [string, string[]] => [path, [values].flat()]),
  ];
  return {
    deleted: query.deleted === 'true',
    fields: alternatives(fields),
    labels: alternatives(labels),
    created: { from: momentOf(query.createdAfter), to: momentOf(query.createdBefore) },
    updated: { from: momentOf(query.updatedAfter), to: momentOf(query.updatedBefore) },
    words: query.q === undefined ? undefined : readSearch(query.q),
  };
}

/** Conditions that are asked for. In whatever order values were sent, a cursor takes them for the same. */
function alternatives<Name>(
  conditions: readonly [Name, readonly string[]][],
): [Name, readonly string[]][] {
  return conditions
    .filter(([, values]) => values.length > 0)
    .map(([name, values]) => [name, [...new Set(values)].sort()]);
}

function uuidsOf(kind: IdKind, ids: readonly string[] = []): string[] {
  return ids.map((id) => uuidOf(kind, id));
}

function momentOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : parseMoment(text);
}

/** The conditions of a request in a few characters, for cursors. */
export function fingerprintOf(request: SearchRequest): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('base64url').slice(0, 12);
}
