import { createHash } from 'node:crypto';
import { invalidFields } from '../../../platform/basics/errors/app-error.js';
import { parseMoment } from '../../../platform/basics/clock/moment.js';
import type { Access } from '../../auth/access/access.js';
import { withSubtrees } from '../../collections/collection-documents.js';
import { ROOT } from '../../auth/access/rights.js';
import { uuidOf, type IdKind } from '../../../platform/basics/identifiers/identifiers.js';
import type { Database } from '../../../platform/database/database.js';
import type { FilterField, SearchRequest } from '../../search/search-provider.js';
import { readSearch } from '../../search/words/search-words.js';
import type { DocumentFiltersDto } from '../dto/document-filters.dto.js';

/** Returns the search request for a query. Throws `bad_request` for filters that published versions do not have. */
export function searchRequest(query: DocumentFiltersDto, published: boolean): SearchRequest {
  if (published) requireReaderQuery(query);
  const fields: [FilterField, readonly string[]][] = [
    ['id', uuidsOf('document', query.ids)],
    ['external_id', query.externalId ?? []],
    ['type', query.type ?? []],
    ['status', query.status ?? []],
    ['created_by', uuidsOf('user', query.createdBy)],
    ['template_id', uuidsOf('template', query.templateId)],
    ['collection_id', collectionsOf(query.collection)],
    ['has_unpublished_changes', query.unpublishedChanges ? ['true'] : []],
  ];
  const labels: [path: string, values: readonly string[]][] = [
    ['department', query.department ?? []],
    ['project', query.project ?? []],
    // Documents must have all tags.
    ...(query.tag ?? []).map((tag): [string, string[]] => ['tags', [tag]]),
    ...(query.metadata ?? []).map(([path, values]): [string, string[]] => [path, [values].flat()]),
  ];
  return {
    ...(published && { published }),
    deleted: query.deleted === 'true',
    fields: alternatives(fields),
    labels: alternatives(labels),
    created: { from: momentOf(query.createdAfter), to: momentOf(query.createdBefore) },
    updated: { from: momentOf(query.updatedAfter), to: momentOf(query.updatedBefore) },
    words: query.q === undefined ? undefined : readSearch(query.q),
  };
}

/** Throws `bad_request` for filters that only documents have. */
function requireReaderQuery({ deleted, unpublishedChanges }: DocumentFiltersDto): void {
  const field =
    deleted === 'true' ? 'deleted' : unpublishedChanges ? 'unpublishedChanges' : undefined;
  if (field === undefined) return;
  throw invalidFields([{ field, issue: 'cannot be combined with published versions' }]);
}

/** Removes empty conditions. Sorts values, so that a cursor does not depend on their order in the query. */
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

/** Returns the collections without those below them, so that a cursor does not depend on the tree. */
function collectionsOf(ids: readonly string[] = []): string[] {
  return ids.map((id) => (id === 'root' ? ROOT : uuidOf('collection', id)));
}

function momentOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : parseMoment(text);
}

/**
 * Adds the collections below those of a request, and removes those that the caller cannot see with all below them. Cursors
 * depend on the request without them.
 */
export async function withCollectionsBelow(
  database: Database,
  access: Access,
  request: SearchRequest,
): Promise<SearchRequest> {
  const fields = request.fields.map(async ([field, asked]) => {
    if (field !== 'collection_id') return [field, asked] as const;
    const shown = access.isWhole ? asked : asked.filter((id) => access.rightIn(id) !== null);
    const isTree = shown.some((id) => id !== ROOT);
    return [field, isTree ? await withSubtrees(database, access, shown) : shown] as const;
  });
  return { ...request, fields: await Promise.all(fields) };
}

/** Returns a short hash of the conditions, for cursors. */
export function fingerprintOf(request: SearchRequest): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('base64url').slice(0, 12);
}
