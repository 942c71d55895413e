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

/** The fields to set, and the origin of the change if a person did not make it directly. */
export type RequestedFields = Partial<DocumentFields> & { origin?: VersionOrigin };

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
  authorId: string;
  origin: VersionOrigin | null;
  events: readonly EventRow[];
  entry: AuditRow;
}

/**
 * Returns the change that sets `requested`; `undefined` if no field changes. `content` holds the word count and delta of
 * changed content.
 */
export function planChange(
  before: StoredDocument,
  requested: RequestedFields,
  content: ContentChange | undefined,
  context: RequestContext,
  now: Date,
): DocumentChange | undefined {
  const changes = changedFields(DOCUMENT_FIELDS, PATCHABLE_FIELDS, before, requested);
  if (changes.length === 0) return undefined;
  const fields = Object.fromEntries(changes.map((field) => [field, requested[field]]));
  const stored = storeContent(before, content?.delta);
  const after: StoredDocument = {
    ...before,
    ...fields,
    ...(content && { excerpt: excerptOf(requested.content ?? ''), wordCount: content.wordCount }),
    version: before.version + 1,
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
    authorId: context.principal.user.id,
    origin: origin ?? null,
    events: eventsOf(before, after, { changes, ...(origin && { origin }) }).map(({ type, data }) =>
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
  data: Record<string, unknown>;
}

/** Returns the events of a change: the update itself and, if the status changed, the transition. */
function eventsOf(
  { status: from }: Document,
  { status: to }: Document,
  update: Record<string, unknown>,
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
