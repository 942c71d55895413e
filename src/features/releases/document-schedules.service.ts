import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../auth/request-context.js';
import { invalidFields, notFound } from '../../platform/basics/errors/app-error.js';
import { uuidOf } from '../../platform/basics/identifiers/identifiers.js';
import type { PutScheduleDto } from './dto/schedule.dto.js';
import {
  noSchedule,
  noSuchVersion,
  RELEASE_ACTIONS,
  type Release,
  type ReleaseAction,
} from './release.js';
import { ReleaseItemsService } from './release-items.service.js';
import { ReleasePublishingService } from './release-publishing.service.js';
import { ReleasesRepository, type ReleasableDocument } from './releases.repository.js';
import { ReleasesService } from './releases.service.js';

/** When a document is published and unpublished, each by a release of its own. Null: not scheduled. */
export type DocumentSchedule = Record<ReleaseAction, Release | null>;

type Planned = Pick<Release, 'publishAt' | 'timeZone'> & {
  action: ReleaseAction;
  version: number | null;
};

/**
 * Schedules single documents. Methods throw `not_found` for unknown documents and those in the trash, and `forbidden` if the
 * caller cannot edit the document.
 */
@Injectable()
export class DocumentSchedulesService {
  constructor(
    private readonly service: ReleasesService,
    private readonly releases: ReleasesRepository,
    private readonly items: ReleaseItemsService,
    private readonly publishing: ReleasePublishingService,
  ) {}

  /**
   * Replaces the schedule of a document. A release that stays the same is not written. Throws `bad_request` for invalid
   * times and an unknown version, and `conflict` if publishing is off or the account has the maximum number of releases.
   */
  put(id: string, body: PutScheduleDto, context: RequestContext): Promise<DocumentSchedule> {
    return this.service.inTransaction(context, async () => {
      const { accountId } = context.access;
      await this.releases.lockAdding(accountId);
      const document = await this.editable(id, context);
      const planned = this.plan(document, body);
      const before = await this.releases.lockSchedules(accountId, document.id);
      const stays = (release: Release) => planned.some((one) => isSame(one, release));
      for (const release of before)
        if (!stays(release)) await this.publishing.end(release, { status: 'canceled' }, context);
      const schedule: DocumentSchedule = { publish: null, unpublish: null };
      for (const one of planned) {
        const same = before.find((release) => isSame(one, release));
        schedule[one.action] = same ?? (await this.add(id, one, context));
      }
      return schedule;
    });
  }

  /** Cancels the schedule of a document. Throws `not_found` if it has none. */
  cancel(id: string, context: RequestContext): Promise<void> {
    return this.service.inTransaction(context, async () => {
      const document = await this.editable(id, context);
      const before = await this.releases.lockSchedules(context.access.accountId, document.id);
      if (before.length === 0) throw noSchedule();
      for (const release of before)
        await this.publishing.end(release, { status: 'canceled' }, context);
    });
  }

  private plan(document: ReleasableDocument, body: PutScheduleDto): Planned[] {
    const { version = document.version, timeZone = null } = body;
    if (version > document.version) throw noSuchVersion('version', document.version);
    const planned = RELEASE_ACTIONS.flatMap((action) => {
      const field = `${action}At` as const;
      const { [field]: text } = body;
      if (text === undefined) return [];
      const publishAt = this.service.timeOf(text, field);
      return [{ action, publishAt, timeZone, version: action === 'publish' ? version : null }];
    });
    const [first, second] = planned;
    if (!first) throw timeNeeded();
    if (second && second.publishAt <= first.publishAt) throw endsTooEarly();
    return planned;
  }

  private async add(
    id: string,
    { action, version, publishAt, timeZone }: Planned,
    context: RequestContext,
  ): Promise<Release> {
    const requested = [{ id, action, version }];
    const items = await this.items.plan(requested, context.access, { isScheduled: true });
    return this.service.add({ title: null, publishAt, timeZone, items }, context);
  }

  private async editable(id: string, { access }: RequestContext): Promise<ReleasableDocument> {
    const uuid = uuidOf('document', id);
    const document = (await this.releases.documents(access, [uuid])).get(uuid);
    if (!document) throw notFound('document');
    access.requireRight('editor', document.collectionId);
    return document;
  }
}

function isSame(planned: Planned, { publishAt, timeZone, items }: Release): boolean {
  const [item] = items;
  return (
    item?.action === planned.action &&
    item.version === planned.version &&
    timeZone === planned.timeZone &&
    publishAt?.getTime() === planned.publishAt?.getTime()
  );
}

/** Returns the error for a schedule without a time. */
export function timeNeeded() {
  return invalidFields([
    {
      field: 'publishAt',
      issue: 'is required, or unpublishAt; DELETE removes the schedule',
    },
  ]);
}

/** Returns the error for a document that would be unpublished before it is published. */
export function endsTooEarly() {
  return invalidFields([{ field: 'unpublishAt', issue: 'must be later than publishAt' }]);
}
