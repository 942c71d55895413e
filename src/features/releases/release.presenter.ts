import { encodeId } from '../../platform/basics/identifiers/identifiers.js';
import type { ApiResponse } from '../../platform/http/envelope/api-response.js';
import { actorOf } from '../auth/principal.js';
import { presentPerson } from '../auth/person.js';
import type { RequestContext } from '../auth/request-context.js';
import { versionedResponse } from '../collections/collection.presenter.js';
import { eventRow, type EventRow } from '../events/outbox.js';
import type { ReleaseDto, ReleaseItemDto } from './dto/release.dto.js';
import type { Release, ReleaseItem, VisibleRelease } from './release.js';

/** Returns the public fields of a release. */
export function presentRelease(release: VisibleRelease) {
  const { id, title, status, publishAt, timeZone, items, hiddenItems, version } = release;
  return {
    id: encodeId('release', id),
    title,
    status,
    publishAt: publishAt?.toISOString() ?? null,
    timeZone,
    items: items.map(presentItem),
    hiddenItems,
    version,
    createdBy: presentPerson(release.createdBy),
    updatedBy: presentPerson(release.updatedBy),
    createdAt: release.createdAt.toISOString(),
    updatedAt: release.updatedAt.toISOString(),
    finishedAt: release.finishedAt?.toISOString() ?? null,
  } satisfies ReleaseDto;
}

function presentItem({ documentId, action, version, outcome, problems }: ReleaseItem) {
  const id = encodeId('document', documentId);
  return { id, action, version, outcome, problems: [...problems] } satisfies ReleaseItemDto;
}

/** Returns the response with a release and its entity tag. */
export function releaseResponse(release: VisibleRelease, location?: string): ApiResponse {
  return versionedResponse(presentRelease(release), release, location);
}

export function releasePath({ id }: Pick<Release, 'id'>): string {
  return `/v1/releases/${encodeId('release', id)}`;
}

/** Returns the event of a release that was published or failed. Only callers who see all documents can read it. */
export function releaseEvent(
  type: 'release.published' | 'release.failed',
  release: Release,
  at: Date,
  { principal, requestId }: RequestContext,
): EventRow {
  const data = JSON.stringify({ release: presentRelease({ ...release, hiddenItems: 0 }) });
  return eventRow({
    type,
    accountId: release.accountId,
    subjectId: release.id,
    at,
    actor: actorOf(principal),
    requestId,
    fullData: data,
    thinData: data,
  });
}
