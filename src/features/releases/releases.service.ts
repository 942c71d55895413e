import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { insertAuditEntry } from '../audit/audit.repository.js';
import type { AuditAction } from '../audit/audit-actions.js';
import type { Access } from '../auth/access/access.js';
import { DocumentPlaces } from '../auth/access/document-places.js';
import type { RequestContext } from '../auth/request-context.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { parseMoment, validTimestamp } from '../../platform/basics/clock/moment.js';
import { notFound } from '../../platform/basics/errors/app-error.js';
import {
  decodeId,
  encodeId,
  newUuid,
  uuidOf,
} from '../../platform/basics/identifiers/identifiers.js';
import { Database } from '../../platform/database/database.js';
import {
  requirePreconditions,
  type Preconditions,
} from '../../platform/http/envelope/preconditions.js';
import type { Page } from '../../platform/http/pagination/read-page.js';
import {
  PublicationGate,
  type RefusedVersion,
} from '../documents/publishing/publication-gate.service.js';
import type { CreateReleaseDto, ListReleasesDto, PatchReleaseDto } from './dto/release.dto.js';
import {
  changesSchedule,
  invalidTime,
  isPending,
  MAX_PENDING,
  MAX_YEARS_AHEAD,
  releaseEnded,
  releaseRefused,
  requireEditor,
  seenBy,
  tooManyReleases,
  type Release,
  type ReleaseItem,
  type VisibleRelease,
} from './release.js';
import { ReleaseItemsService, type RequestedItem } from './release-items.service.js';
import { ReleasePublishingService } from './release-publishing.service.js';
import { ReleasesRepository } from './releases.repository.js';

/** The ID of no document. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** A release by its public ID, with the preconditions that the client sent. */
interface Target {
  id: string;
  preconditions: Preconditions;
}

/** The fields of a new release. */
export type NewRelease = Pick<Release, 'title' | 'publishAt' | 'timeZone' | 'items'>;

/**
 * Manages the releases of an account. A caller sees a release if they see one of its documents, and only those. Methods
 * that take an ID throw `not_found` for other releases. Methods that change one throw `forbidden` unless the caller can
 * edit all of its documents, and `conflict` if it is no longer open or scheduled.
 */
@Injectable()
export class ReleasesService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly releases: ReleasesRepository,
    private readonly items: ReleaseItemsService,
    private readonly publishing: ReleasePublishingService,
    private readonly places: DocumentPlaces,
    private readonly gate: PublicationGate,
  ) {}

  /** Creates a release. Throws `bad_request` for an invalid time, and the errors of {@link ReleaseItemsService.plan} and {@link add}. */
  create(body: CreateReleaseDto, context: RequestContext): Promise<VisibleRelease> {
    const { title, timeZone = null } = body;
    return this.inTransaction(context, async () => {
      const publishAt = body.publishAt == null ? null : this.timeOf(body.publishAt, 'publishAt');
      const isScheduled = publishAt !== null;
      await this.releases.lockAdding(context.access.accountId);
      const items = await this.items.plan(body.items, context.access, { isScheduled });
      return visible(await this.add({ title, publishAt, timeZone, items }, context));
    });
  }

  /** Lists releases. Throws `bad_request` for a cursor of another list. */
  async list(access: Access, query: ListReleasesDto): Promise<Page<VisibleRelease>> {
    const { status: statuses, documentId, publishAfter, publishBefore } = query;
    const filter = {
      statuses,
      documentId: documentId && (await this.visibleDocument(access, documentId)),
      publishAfter: publishAfter === undefined ? undefined : parseMoment(publishAfter),
      publishBefore: publishBefore === undefined ? undefined : parseMoment(publishBefore),
    };
    const { rows, pagination } = await this.releases.list(access, filter, query);
    return { rows: rows.flatMap((row) => seenBy(access, row) ?? []), pagination };
  }

  async find(access: Access, id: string): Promise<VisibleRelease> {
    const release = await this.releases.find(access.accountId, uuidOf('release', id));
    return seen(access, release);
  }

  /**
   * Changes a release. Writes nothing if nothing changes. Throws `precondition_failed`, `conflict` for the schedule of a
   * document, and the errors of {@link create}.
   */
  change(
    { id, preconditions }: Target,
    patch: PatchReleaseDto,
    context: RequestContext,
  ): Promise<VisibleRelease> {
    return this.inTransaction(context, async () => {
      const before = await this.locked(id, context);
      if (before.title === null) throw changesSchedule();
      const { version, status } = before;
      requirePreconditions(preconditions, { version, etag: `"${String(version)}"` });
      const { title = before.title, timeZone = before.timeZone } = patch;
      const publishAt = this.changedTime(before, patch);
      const isScheduled = publishAt !== null;
      const requested = before.items.map(requestedOf);
      const hasNewItems =
        patch.items !== undefined && !isDeepStrictEqual(patch.items.map(normalized), requested);
      const becomesScheduled = isScheduled && status === 'open';
      let { items } = before;
      if (hasNewItems || becomesScheduled) {
        const wanted = patch.items ?? requested;
        items = await this.items.plan(wanted, context.access, { isScheduled });
        if (isScheduled && !becomesScheduled) items = withSeenNumbers(items, before.items);
      }
      const fields = { title, timeZone, publishAt, items };
      if (isDeepStrictEqual(fields, { ...pickedOf(before) })) return before;
      const now = this.clock.now();
      const after: Release = {
        ...before,
        ...fields,
        status: isScheduled ? 'scheduled' : 'open',
        version: version + 1,
        updatedBy: context.principal.user,
        updatedAt: now,
      };
      await this.releases.update(after, { items: items !== before.items });
      await this.record('release.update', after, context);
      return visible(after);
    });
  }

  /**
   * Publishes a release now. If a document is refused, nothing changes; missing analyses are ordered. Throws `conflict`
   * with the problems of each document, and `payload_too_large`.
   */
  async publish(id: string, context: RequestContext): Promise<VisibleRelease> {
    let missing: RefusedVersion[] = [];
    const publish = async () => {
      const release = await this.locked(id, context);
      const { items, refused } = await this.publishing.publish(release, context);
      missing = refused;
      const withProblems = items.filter(({ problems }) => problems.length > 0);
      if (withProblems.length > 0) throw releaseRefused(withProblems.map(shownProblems));
      return visible(await this.publishing.end(release, { status: 'published', items }, context));
    };
    try {
      return await this.inTransaction(context, publish);
    } catch (error) {
      if (!this.database.isInTransaction) await this.gate.orderMissing(missing, context);
      throw error;
    }
  }

  cancel(id: string, context: RequestContext): Promise<VisibleRelease> {
    return this.inTransaction(context, async () => {
      const release = await this.locked(id, context);
      return visible(await this.publishing.end(release, { status: 'canceled' }, context));
    });
  }

  /** Deletes a release, whatever its status. The documents stay as they are. */
  delete({ id, preconditions }: Target, context: RequestContext): Promise<void> {
    return this.inTransaction(context, async () => {
      const release = await this.locked(id, context, { pending: false });
      const { version } = release;
      requirePreconditions(preconditions, { version, etag: `"${String(version)}"` });
      await this.releases.delete(release);
      await this.record('release.delete', { ...release, updatedAt: this.clock.now() }, context);
    });
  }

  /**
   * Stores a new release. The caller has locked the adding of releases. Throws `conflict` if the account has the maximum
   * number of pending ones.
   */
  async add(fields: NewRelease, context: RequestContext): Promise<Release> {
    const { accountId, user } = context.principal;
    if ((await this.releases.countPending(accountId)) >= MAX_PENDING) throw tooManyReleases();
    const now = this.clock.now();
    const release: Release = {
      ...fields,
      id: newUuid(),
      accountId,
      status: fields.publishAt === null ? 'open' : 'scheduled',
      version: 1,
      createdBy: user,
      updatedBy: user,
      createdAt: now,
      updatedAt: now,
      finishedAt: null,
    };
    await this.releases.insert(release);
    await this.record('release.create', release, context);
    return release;
  }

  /** Returns the time of a release. Throws `bad_request` if it is over or too far ahead. */
  timeOf(text: string, field: string): Date {
    const time = validTimestamp(text);
    const now = this.clock.now();
    const latest = new Date(now);
    latest.setUTCFullYear(now.getUTCFullYear() + MAX_YEARS_AHEAD);
    if (time <= now || time > latest) throw invalidTime(field);
    return time;
  }

  inTransaction<Result>(
    { caller, access }: RequestContext,
    work: () => Promise<Result>,
  ): Promise<Result> {
    return this.database.transaction(work, caller, access.accountId);
  }

  /** Sent back unchanged, a time may be over: the worker has not published it yet. */
  private changedTime({ publishAt }: Release, patch: PatchReleaseDto): Date | null {
    const { publishAt: text } = patch;
    if (text == null) return text === null ? null : publishAt;
    return validTimestamp(text).getTime() === publishAt?.getTime()
      ? publishAt
      : this.timeOf(text, 'publishAt');
  }

  private async locked(
    id: string,
    { access }: RequestContext,
    { pending = true } = {},
  ): Promise<VisibleRelease> {
    const found = await this.releases.lock(access.accountId, uuidOf('release', id));
    const release = seen(access, found);
    requireEditor(access, release);
    if (pending && !isPending(release)) throw releaseEnded(release.status);
    return release;
  }

  /** Returns the UUID of a document, or one of no document if the caller cannot see it. */
  private async visibleDocument(access: Access, id: string): Promise<string> {
    const uuid = decodeId('document', id) ?? NOBODY;
    if (access.isWhole) return uuid;
    return (await this.places.of(access, [uuid])).has(uuid) ? uuid : NOBODY;
  }

  private async record(
    action: AuditAction & `release.${string}`,
    release: Release,
    context: RequestContext,
  ): Promise<void> {
    const { id: resourceId, version, publishAt, items } = release;
    await insertAuditEntry(this.database, {
      action,
      resourceId,
      at: release.updatedAt,
      context,
      details: { version, publishAt: publishAt?.toISOString() ?? null, documents: items.length },
    });
  }
}

function seen(access: Access, release: Release | undefined): VisibleRelease {
  const found = release && seenBy(access, release);
  if (!found) throw notFound('release');
  return found;
}

/** Only those who see all documents of a release change it. */
function visible(release: Release): VisibleRelease {
  return { ...release, hiddenItems: 0 };
}

function requestedOf({ documentId, action, version }: ReleaseItem): RequestedItem {
  return { id: encodeId('document', documentId), action, version };
}

function normalized({ id, action, version = null }: RequestedItem): RequestedItem {
  return { id, action, version };
}

/**
 * Returns the new items of a scheduled release. Those that it already had are not scheduled anew: if a newer version was
 * published since, the release still skips them.
 */
function withSeenNumbers(
  items: readonly ReleaseItem[],
  before: readonly ReleaseItem[],
): ReleaseItem[] {
  return items.map((item) => {
    const same = before.find(
      ({ documentId, action, version }) =>
        documentId === item.documentId && action === item.action && version === item.version,
    );
    return same ? { ...item, seenNumber: same.seenNumber } : item;
  });
}

function pickedOf({ title, timeZone, publishAt, items }: Release) {
  return { title, timeZone, publishAt, items };
}

function shownProblems({ documentId, problems }: ReleaseItem) {
  return { id: encodeId('document', documentId), problems };
}
