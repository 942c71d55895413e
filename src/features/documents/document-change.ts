import { auditRow, type AuditRow } from '../audit/audit-entry.js';
import type { RequestContext } from '../access/auth/request-context.js';
import type { EventType } from '../events/catalogue/catalogue.js';
import type { EventRow } from '../events/outbox.js';
import { documentEvent } from './document-events.js';
import { presentInParts, type DocumentJson } from './document.presenter.js';
import {
  DOCUMENT_FIELDS,
  excerptOf,
  PATCHABLE_FIELDS,
  type Document,
  type DocumentFields,
  type PatchableField,
} from './document-fields.js';
import type { DocumentStatus } from './document-status.js';
import type { ContentChange } from './long-texts/long-text-thread.js';
import { changedFields } from '../content/versions/field-map.js';
import type { VersionOrigin } from './versions/version-origin.js';
import { keepContent, type KeptDeltas } from '../content/versions/reverse-deltas.js';

const EVENT_OF_STATUS: Partial<Record<DocumentStatus, EventType>> = {
  published: 'document.published',
  archived: 'document.archived',
};

/** A document as it is stored, with what writing its next version needs. */
export interface StoredDocument extends Document, KeptDeltas {}

/** What a document is to become; `origin` says what makes it so. */
export type WantedFields = Partial<DocumentFields> & { origin?: VersionOrigin };

/** The next version of a document, with all that commits with it. */
export interface DocumentChange {
  before: StoredDocument;
  after: StoredDocument;
  /** The public form of `after`. */
  json: DocumentJson;
  changes: readonly PatchableField[];
  /** Makes the content before from the content after; null when the content before is to be kept whole. */
  delta: string | null;
  authorId: string;
  origin: VersionOrigin | null;
  events: readonly EventRow[];
  entry: AuditRow;
}

/**
 * The change that makes `wanted` of a document; `undefined` when it is so already. `content` is what was worked out of
 * its content, if that is to be another one.
 */
export function planChange(
  before: StoredDocument,
  wanted: WantedFields,
  content: ContentChange | undefined,
  context: RequestContext,
  now: Date,
): DocumentChange | undefined {
  const changes = changedFields(DOCUMENT_FIELDS, PATCHABLE_FIELDS, before, wanted);
  if (changes.length === 0) return undefined;
  const fields = Object.fromEntries(changes.map((field) => [field, wanted[field]]));
  const kept = keepContent(before, content?.delta);
  const after: StoredDocument = {
    ...before,
    ...fields,
    ...(content && { excerpt: excerptOf(wanted.content ?? ''), wordCount: content.wordCount }),
    version: before.version + 1,
    // The clocks of two replicas differ: time never runs backwards for a document.
    updatedAt: now < before.updatedAt ? before.updatedAt : now,
    deltaBytes: kept.deltaBytes,
    deltaCount: kept.deltaCount,
  };
  const json = presentInParts(after);
  const { origin } = wanted;
  return {
    before,
    after,
    json,
    changes,
    delta: kept.delta,
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
        ...(origin && { enhancementId: origin.enhancementId }),
      },
    }),
  };
}

interface PlannedEvent {
  type: EventType;
  data: Record<string, unknown>;
}

/** What a change emits: that it happened, and what became of the status. */
function eventsOf(
  { status: from }: Document,
  { status: to }: Document,
  update: Record<string, unknown>,
): PlannedEvent[] {
  const updated: PlannedEvent = { type: 'document.updated', data: update };
  if (from === to) return [updated];
  const moved = { changes: ['status'], from, to };
  const reached = EVENT_OF_STATUS[to];
  return [
    updated,
    { type: 'document.status_changed', data: moved },
    ...(reached ? [{ type: reached, data: moved }] : []),
  ];
}
