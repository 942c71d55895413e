import type { RequestContext } from '../access/auth/request-context.js';
import { actorOf } from '../access/auth/principal.js';
import type { EventType } from '../events/catalogue/catalogue.js';
import { eventRow, type EventRow, type EventState } from '../events/outbox.js';
import type { Document } from './document-fields.js';
import {
  presentDocumentReference,
  presentDocumentWithoutContent,
  presentRemovedDocument,
  type DocumentJson,
} from './document.presenter.js';

/** Content beyond this is left out of events; `contentTruncated` says so. */
const MAX_EVENT_CONTENT_BYTES = 256 * 1024;

/** A document with its public form, written once for the answer, the event and the row. */
export interface PresentedDocument {
  document: Document;
  json: DocumentJson;
}

/**
 * The event of a change to a document, frozen; its bodies are what webhooks will receive, with the content that the
 * statement of the change puts in. `data` stands beside the document, such as the names of the changed fields. `before` is
 * the document before the change, if it was another one: webhooks that filter hear of what leaves their filter too.
 */
export function documentEvent(
  type: EventType,
  { document, json, before }: PresentedDocument & { before?: Document },
  at: Date,
  context: RequestContext,
  data: Record<string, unknown> = {},
): EventRow {
  const more = JSON.stringify(data).slice(1, -1);
  const tail = more === '' ? '}' : `,${more}}`;
  return eventRow({
    type,
    accountId: document.accountId,
    subjectId: document.id,
    at,
    actor: actorOf(context.principal),
    requestId: context.requestId,
    fullData: tooLarge(document)
      ? `{"document":${presentDocumentWithoutContent(document)}${tail}`
      : { before: `{"document":${json.before}`, after: json.after + tail },
    thinData: `{"document":${presentDocumentReference(document)}${tail}`,
    states: statesOf(document, before),
  });
}

/** The event of removing a document for good: nothing that was written in it is told any more. */
export function removalEvent(document: Document, at: Date, context: RequestContext): EventRow {
  const data = `{"document":${presentRemovedDocument(document)}}`;
  return eventRow({
    type: 'document.deleted',
    accountId: document.accountId,
    subjectId: document.id,
    at,
    actor: actorOf(context.principal),
    requestId: context.requestId,
    fullData: data,
    thinData: data,
    states: statesOf(document),
  });
}

/** What webhooks filter by, of the document and of what it was before, if that differs. */
function statesOf(document: Document, before: Document = document): EventState[] {
  const after = stateOf(document);
  if (before.type === document.type && before.metadata === document.metadata) return [after];
  return [stateOf(before), after];
}

function stateOf({ type, metadata }: Document): EventState {
  if (metadata === '{}') return { types: [type] };
  const { tags, project } = JSON.parse(metadata) as { tags?: string[]; project?: string };
  return {
    types: [type],
    ...(tags !== undefined && { tags }),
    ...(project !== undefined && { projects: [project] }),
  };
}

function tooLarge({ content }: Document): boolean {
  return Buffer.byteLength(content) > MAX_EVENT_CONTENT_BYTES;
}
