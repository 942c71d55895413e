import { encodeId } from '../../platform/basics/identifiers/identifiers.js';
import { ApiResponse } from '../../platform/http/envelope/api-response.js';
import type { RequestContext } from '../auth/request-context.js';
import { actorOf } from '../auth/principal.js';
import { eventRow, type EventRow } from '../events/outbox.js';
import type { Collection } from './collection.js';
import type { CollectionDto, CollectionListItemDto } from './dto/collection.dto.js';
import type { ListedCollection } from './collections.repository.js';

/** Returns the public fields of a collection. */
function presentCollection(collection: Collection) {
  const { id, name, parentId, version, createdAt, updatedAt } = collection;
  return {
    id: encodeId('collection', id),
    name,
    parentId: parentId === null ? null : encodeId('collection', parentId),
    version,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  } satisfies CollectionDto;
}

/** Returns the public fields of a collection in a list. */
export function presentListed(collection: ListedCollection): CollectionListItemDto {
  const { documentCount } = collection;
  return {
    ...presentCollection(collection),
    ...(documentCount !== undefined && { documentCount: Number(documentCount) }),
  };
}

/** Returns the response with a collection and its entity tag. */
export function collectionResponse(collection: Collection, location?: string): ApiResponse {
  return new ApiResponse(JSON.stringify(presentCollection(collection)), {
    etag: collectionETag(collection),
    ...(location !== undefined && { location }),
  });
}

export function collectionPath({ id }: Pick<Collection, 'id'>): string {
  return `/v1/collections/${encodeId('collection', id)}`;
}

/** Returns the strong entity tag of a collection. */
export function collectionETag({ version }: Pick<Collection, 'version'>): string {
  return `"${String(version)}"`;
}

/** Returns an event of a collection. `data` is added next to the collection, such as the names of changed fields. */
export function collectionEvent(
  type: 'collection.created' | 'collection.updated' | 'collection.deleted',
  collection: Collection,
  at: Date,
  { principal, requestId }: RequestContext,
  data: Record<string, unknown> = {},
): EventRow {
  const json = JSON.stringify({ collection: presentCollection(collection), ...data });
  return eventRow({
    type,
    accountId: collection.accountId,
    subjectId: collection.id,
    at,
    actor: actorOf(principal),
    requestId,
    fullData: json,
    thinData: json,
  });
}
