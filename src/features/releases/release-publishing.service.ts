import { Injectable } from '@nestjs/common';
import { insertAuditEntry } from '../audit/audit.repository.js';
import type { Access } from '../auth/access/access.js';
import type { RequestContext } from '../auth/request-context.js';
import { emitEvents } from '../events/events.repository.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { AppError } from '../../platform/basics/errors/app-error.js';
import { Database } from '../../platform/database/database.js';
import { DocumentChangesRepository } from '../documents/changes/document-changes.repository.js';
import {
  DocumentChangesService,
  type PublicationRequest,
} from '../documents/changes/document-changes.service.js';
import type { Document } from '../documents/model/document-fields.js';
import {
  PublicationGate,
  PublicationRefused,
  type RefusedVersion,
} from '../documents/publishing/publication-gate.service.js';
import { publishingOff } from '../documents/publishing/publishing-errors.js';
import { PublishingService } from '../documents/publishing/publishing.service.js';
import { PublishingSettingsRepository } from '../documents/publishing/publishing-settings.repository.js';
import {
  MAX_BYTES,
  releaseTooLarge,
  type Release,
  type ReleaseItem,
  type ReleaseProblem,
} from './release.js';
import { releaseEvent } from './release.presenter.js';
import { ReleasesRepository } from './releases.repository.js';

/** How a release ends, with its audit entry and event. */
const ENDS = {
  published: { action: 'release.publish', event: 'release.published' },
  failed: { action: 'release.fail', event: 'release.failed' },
  canceled: { action: 'release.cancel', event: undefined },
} as const;

/** What happens to an item, and what readers get then. */
interface PlannedResult {
  published?: Document;
  result: Partial<ReleaseItem>;
}

/** The items of a release with their outcomes, and the versions that the rules of the account refuse. */
interface PublishedItems {
  items: ReleaseItem[];
  refused: RefusedVersion[];
}

/** What publishing an item would find. */
interface CheckedItem {
  item: ReleaseItem;
  /** The document as readers would get it. Undefined for `unpublish`, and if it cannot be published. */
  published: Document | undefined;
  /** The version that the rules of the account refuse, if they do. */
  refused: readonly RefusedVersion[];
  problems: readonly ReleaseProblem[];
}

const SUPERSEDED: PlannedResult = { result: { outcome: 'superseded' } };

/** Documents that are checked, or published, at once. Each can have 1 MiB in memory. */
const BATCH = 20;

const IN_TRASH = 'The document is in the trash or was deleted. Restore it, or take it out.';

/** Publishes and unpublishes the documents of a release. */
@Injectable()
export class ReleasePublishingService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly releases: ReleasesRepository,
    private readonly documents: DocumentChangesRepository,
    private readonly changes: DocumentChangesService,
    private readonly publishing: PublishingService,
    private readonly settings: PublishingSettingsRepository,
    private readonly gate: PublicationGate,
  ) {}

  /**
   * Publishes and unpublishes the documents in the transaction of the caller, who has locked the release, and returns the
   * items with their outcomes. If an item has problems, the caller must roll back. Throws `payload_too_large` if the
   * texts of an open release have grown too large.
   */
  async publish(release: Release, context: RequestContext): Promise<PublishedItems> {
    const { items, accountId } = release;
    const inOrder = items.toSorted((one, other) => (one.documentId < other.documentId ? -1 : 1));
    const ids = inOrder.map(({ documentId }) => documentId);
    await this.changes.lock(ids, context);
    const isEnabled = await this.settings.isEnabled(accountId);
    const superseded = await this.releases.superseded(release);
    const ofRelease = { releaseId: release.id };
    const done = new Map<string, ReleaseItem>();
    const refused: RefusedVersion[] = [];
    let bytes = 0;
    for (let first = 0; first < ids.length; first += BATCH) {
      const batch = inOrder.slice(first, first + BATCH);
      const documents = await this.documents.readLocked(
        context.access,
        ids.slice(first, first + BATCH),
      );
      const requests: PublicationRequest[] = [];
      for (const item of batch) {
        const document = documents.get(item.documentId);
        const { published, result } = superseded.has(item.documentId)
          ? SUPERSEDED
          : await this.planItem(item, document, { isEnabled });
        done.set(item.documentId, { ...item, ...result });
        if (document && published) {
          bytes += Buffer.byteLength(published.content);
          if (bytes > MAX_BYTES) throw releaseTooLarge();
          requests.push({ document, version: published });
        }
        if (document && result.outcome === 'unpublished')
          await this.publishing.unpublishLocked(document, context, ofRelease);
      }
      try {
        await this.publishing.publishLocked(requests, context, ofRelease);
      } catch (error) {
        if (!(error instanceof PublicationRefused)) throw error;
        refused.push(...error.refused);
      }
    }
    for (const { document, problems } of refused) {
      const item = done.get(document.id);
      if (item) done.set(document.id, { ...item, outcome: null, problems });
    }
    return { items: items.map((item) => done.get(item.documentId) ?? item), refused };
  }

  /** Orders the missing analyses of the documents that a release would publish now. */
  async orderMissing(release: Release, context: RequestContext): Promise<void> {
    const superseded = await this.releases.superseded(release);
    const items = release.items.filter(({ documentId }) => !superseded.has(documentId));
    for await (const { refused } of this.checked(context.access, items, { isEnabled: true }))
      await this.gate.orderMissing(refused, context);
  }

  /** Stores how a release has ended, in the transaction of the caller, who has locked it. */
  async end(
    release: Release,
    { status, items }: { status: keyof typeof ENDS; items?: readonly ReleaseItem[] },
    context: RequestContext,
  ): Promise<Release> {
    const { user: updatedBy } = context.principal;
    const { action, event } = ENDS[status];
    const at = this.clock.now();
    const version = release.version + 1;
    const changes = { status, version, updatedBy, updatedAt: at, finishedAt: at };
    const ended: Release = { ...release, ...changes, ...(items && { items }) };
    await this.releases.update(ended, { items: items !== undefined });
    await insertAuditEntry(this.database, { action, resourceId: release.id, at, context });
    if (event) await emitEvents(this.database, [releaseEvent(event, ended, at, context)]);
    return ended;
  }

  /**
   * Returns each item with what publishing it now would find, with the rules of the account. Holds only some documents in
   * memory.
   */
  async *checked(
    access: Access,
    items: readonly ReleaseItem[],
    settings: { isEnabled: boolean },
  ): AsyncGenerator<CheckedItem> {
    for (let first = 0; first < items.length; first += BATCH) {
      const batch = items.slice(first, first + BATCH);
      const documents = await Promise.all(
        batch.map(({ documentId }) => this.documents.find(access, documentId)),
      );
      const found = [];
      for (const [index, item] of batch.entries()) {
        const document = documents[index];
        found.push({ item, document, ...(await this.check(item, document, settings)) });
      }
      const candidates = found.flatMap(({ document, published }) =>
        published && document?.publishedVersion !== published.version
          ? [{ document: published, isStored: true }]
          : [],
      );
      const refused = await this.gate.refusedOf(candidates);
      for (const { item, published, problems } of found) {
        const own = refused.filter(({ document }) => document.id === item.documentId);
        const all = [...problems, ...own.flatMap((version) => version.problems)];
        yield { item, published, refused: own, problems: all };
      }
    }
  }

  /** Returns the document as readers would get it, undefined for `unpublish`, or why the item would be refused. */
  private async check(
    { action, version }: ReleaseItem,
    document: Document | undefined,
    { isEnabled }: { isEnabled: boolean },
  ): Promise<{ published?: Document; problems: readonly ReleaseProblem[] }> {
    if (!isEnabled) return refused('publishing', publishingOff().message);
    if (!document) return refused('document', IN_TRASH);
    if (action === 'unpublish') return { problems: [] };
    try {
      const published = await this.publishing.publishable(document, version ?? undefined);
      return { published, problems: [] };
    } catch (error) {
      if (error instanceof AppError && error.kind === 'not_found')
        return refused('version', error.message);
      if (error instanceof AppError && error.kind === 'conflict')
        return refused('status', error.message);
      throw error;
    }
  }

  private async planItem(
    item: ReleaseItem,
    document: Document | undefined,
    settings: { isEnabled: boolean },
  ): Promise<PlannedResult> {
    const { published, problems } = await this.check(item, document, settings);
    if (!document || problems.length > 0) return { result: { problems } };
    if (published) {
      const version = item.version ?? document.version;
      return { published, result: { outcome: 'published', version } };
    }
    return document.publishedVersion === null ? SUPERSEDED : { result: { outcome: 'unpublished' } };
  }
}

function refused(check: ReleaseProblem['check'], issue: string) {
  return { problems: [{ check, issue }] };
}
