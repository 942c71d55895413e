import type { Access } from '../../auth/access/access.js';
import { auditRow, type AuditRow } from '../../audit/audit.repository.js';
import type { RequestContext } from '../../auth/request-context.js';
import type { EventType } from '../../events/catalogue/catalogue.js';
import type { EventRow } from '../../events/outbox.js';
import { documentEvent } from '../model/document-events.js';
import { presentInParts, type DocumentJson } from '../document.presenter.js';
import {
  DOCUMENT_FIELDS,
  excerptOf,
  PATCHABLE_FIELDS,
  STICKY_FIELDS,
  type Document,
  type DocumentFields,
  type PatchableField,
  type VersionOrigin,
  type DocumentStatus,
} from '../model/document-fields.js';
import type { ContentChange } from '../../content/long-texts/long-text-thread.js';
import { changedFields } from '../../content/versioning/field-map.js';
import { storeContent, type DeltaTotals } from '../../content/text/reverse-deltas.js';

const EVENT_OF_STATUS: Partial<Record<DocumentStatus, EventType>> = {
  published: 'document.published',
  archived: 'document.archived',
};

/** A document with the delta totals that writing its next version needs. */
export interface StoredDocument extends Document, DeltaTotals {}

/** The fields to set, and how. */
export type RequestedFields = Partial<DocumentFields> & {
  /** Missing if a person made the change directly. */
  origin?: VersionOrigin;
  /** The version that readers get if the change publishes the document, as it is published. Default: the new version. */
  publishes?: Document | undefined;
  /** True if the fields are those of the published version, so that no unpublished change is left. */
  discards?: boolean;
  /** UUID of the release that unpublishes the document. */
  releaseId?: string | undefined;
};

/** The next version of a document, with its events and audit entry. */
export interface DocumentChange {
  /** The access of the caller, for errors. */
  access: Access;
  before: StoredDocument;
  after: StoredDocument;
  /** The document in `after` as clients see it. */
  json: DocumentJson;
  changes: readonly PatchableField[];
  /** Turns the new content back into the previous content. Null if the previous content is stored in full. */
  delta: string | null;
  /** What the change does to the published version. */
  publication: 'begins' | 'ends' | 'stays';
  authorId: string;
  origin: VersionOrigin | null;
  events: readonly EventRow[];
  entry: AuditRow;
}

/** True if these changes are about the text of a document and its metadata, and not only about its status and place. */
export function changesText(changes: readonly PatchableField[]): boolean {
  return changes.some((name) => !STICKY_FIELDS.some((sticky) => sticky === name));
}

/** Returns what a change does to the published version. */
function publicationAfter(
  before: Document,
  { publishes, discards = false, ...requested }: RequestedFields,
  changes: readonly PatchableField[],
  publishing: boolean,
): Pick<DocumentChange, 'publication'> &
  Pick<Document, 'publishedVersion' | 'hasUnpublishedChanges'> {
  const { status = before.status } = requested;
  const { publishedVersion, hasUnpublishedChanges } = before;
  if (status !== 'published') {
    const publication = publishedVersion === null ? 'stays' : 'ends';
    return { publication, publishedVersion: null, hasUnpublishedChanges: false };
  }
  if (publishing && publishedVersion === null) {
    return {
      publication: 'begins',
      publishedVersion: publishes?.version ?? before.version + 1,
      hasUnpublishedChanges: publishes !== undefined,
    };
  }
  return {
    publication: 'stays',
    publishedVersion,
    hasUnpublishedChanges:
      publishedVersion !== null && !discards && (hasUnpublishedChanges || changesText(changes)),
  };
}

/**
 * Returns the change that sets `requested`; `undefined` if no field changes. `content` holds the word count and delta of
 * changed content. With `publishing`, a change to the status `published` publishes a version.
 */
export function planChange(
  before: StoredDocument,
  requested: RequestedFields,
  content: ContentChange | undefined,
  context: RequestContext,
  { now, publishing }: { now: Date; publishing: boolean },
): DocumentChange | undefined {
  const changes = changedFields(DOCUMENT_FIELDS, PATCHABLE_FIELDS, before, requested);
  if (changes.length === 0) return undefined;
  const fields = Object.fromEntries(changes.map((field) => [field, requested[field]]));
  const stored = storeContent(before, content?.delta);
  const { publication, ...published } = publicationAfter(before, requested, changes, publishing);
  const after: StoredDocument = {
    ...before,
    ...fields,
    ...(content && { excerpt: excerptOf(requested.content ?? ''), wordCount: content.wordCount }),
    version: before.version + 1,
    ...published,
    // `updatedAt` never decreases, although the clocks of replicas differ.
    updatedAt: now < before.updatedAt ? before.updatedAt : now,
    updatedBy: context.principal.user,
    deltaBytes: stored.deltaBytes,
    deltaCount: stored.deltaCount,
  };
  const json = presentInParts(after);
  const { origin } = requested;
  return {
    access: context.access,
    before,
    after,
    json,
    changes,
    delta: stored.delta,
    publication,
    authorId: context.principal.user.id,
    origin: origin ?? null,
    events: eventsOf(before, after, { changes, ...(origin && { origin }) })
      // It has the text that readers get, so the publication emits it.
      .filter(({ type }) => publication !== 'begins' || type !== 'document.published')
      .map(({ type, data }) =>
        documentEvent(type, { document: after, json, before }, now, context, data),
      ),
    entry: auditRow({
      action: 'document.update',
      resourceId: before.id,
      at: now,
      context,
      details: {
        version: after.version,
        changes,
        ...(origin?.type === 'enhancement' && { enhancementId: origin.enhancementId }),
        ...(origin?.type === 'merge' && { baseVersion: origin.baseVersion }),
      },
    }),
  };
}

interface PlannedEvent {
  type: EventType;
  data: Record<string, unknown> & { changes: readonly string[] };
}

/** Returns the events of a change: the update itself and, if the status changed, the transition. */
function eventsOf(
  { status: from }: Document,
  { status: to }: Document,
  update: PlannedEvent['data'],
): PlannedEvent[] {
  const updated: PlannedEvent = { type: 'document.updated', data: update };
  if (from === to) return [updated];
  const transition = { changes: ['status'], from, to };
  const statusEvent = EVENT_OF_STATUS[to];
  return [
    updated,
    { type: 'document.status_changed', data: transition },
    ...(statusEvent ? [{ type: statusEvent, data: transition }] : []),
  ];
}
