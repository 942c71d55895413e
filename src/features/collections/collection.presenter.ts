import { createHash } from 'node:crypto';
import { encodeId } from '../../platform/basics/identifiers/identifiers.js';
import { ApiResponse } from '../../platform/http/envelope/api-response.js';
import {
  requirePreconditions,
  type Preconditions,
} from '../../platform/http/envelope/preconditions.js';
import type { RequestContext } from '../auth/request-context.js';
import { actorOf } from '../auth/principal.js';
import type { EventType } from '../events/catalogue/catalogue.js';
import { eventRow, type EventRow } from '../events/outbox.js';
import type { Collection, ListedCollection, VisibleCollection } from './collection.js';
import type {
  CollectionDto,
  CollectionListItemDto,
  EventCollectionDto,
} from './dto/collection.dto.js';
import type { CountedCollection } from './collections.repository.js';

/** A collection by its public ID, with the preconditions that the client sent. */
export interface Target {
  id: string;
  preconditions: Preconditions;
}

/** Returns the public fields of a collection that do not depend on the caller. */
function presentCollection(collection: ListedCollection) {
  const { id, name, parentId, isRestricted, version, createdAt, updatedAt } = collection;
  return {
    id: encodeId('collection', id),
    name,
    parentId: parentId === null ? null : encodeId('collection', parentId),
    isRestricted,
    version,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  } satisfies EventCollectionDto;
}

function presentVisible(collection: VisibleCollection) {
  const { right } = collection;
  return { ...presentCollection(collection), right } satisfies CollectionDto;
}

/** Returns the public fields of a collection in a list. */
export function presentListed(
  collection: CountedCollection & VisibleCollection,
): CollectionListItemDto {
  const { documentCount } = collection;
  return {
    ...presentVisible(collection),
    ...(documentCount !== undefined && { documentCount: Number(documentCount) }),
  };
}

/** Returns the response with a collection and its entity tag. */
export function collectionResponse(collection: VisibleCollection, location?: string): ApiResponse {
  return versionedResponse(presentVisible(collection), collection, location);
}

/**
 * Returns a response with the entity tag of a collection. The part after the semicolon changes with what the response
 * contains besides the version, such as the right of the caller; preconditions compare the version only.
 */
export function versionedResponse(
  data: object,
  { version }: Pick<Collection, 'version'>,
  location?: string,
): ApiResponse {
  const json = JSON.stringify(data);
  const hash = createHash('sha256').update(json).digest('base64url').slice(0, 12);
  return new ApiResponse(json, {
    etag: `"${String(version)};${hash}"`,
    ...(location !== undefined && { location }),
  });
}

export function collectionPath({ id }: Pick<Collection, 'id'>): string {
  return `/v1/collections/${encodeId('collection', id)}`;
}

/** Throws `precondition_failed` if the client has seen another version. */
export function requireUnchanged(
  preconditions: Preconditions,
  { version }: Pick<Collection, 'version'>,
): void {
  requirePreconditions(preconditions, { version, etag: `"${String(version)}"` });
}

/** Returns an event of a collection. `data` is added next to the collection, such as the names of changed fields. */
export function collectionEvent(
  type: EventType & `collection.${string}`,
  collection: Collection,
  at: Date,
  { principal, requestId }: RequestContext,
  data: Record<string, unknown> = {},
): EventRow {
  const shown = presentCollection({ ...collection, isRestricted: collection.access !== null });
  const json = JSON.stringify({ collection: shown, ...data });
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
