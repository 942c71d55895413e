import type { RequestContext } from '../../auth/request-context.js';
import { actorOf } from '../../auth/principal.js';
import type { EventType } from '../../events/catalogue/catalogue.js';
import { eventRow, type EventRow } from '../../events/outbox.js';
import type { Document } from './document-fields.js';
import { statesOf } from './document-states.js';
import {
  presentDocumentReference,
  presentDocumentWithoutContent,
  presentRemovedDocument,
  type DocumentJson,
} from '../document.presenter.js';

/** Larger content is omitted from events, which then have `contentTruncated`. */
const MAX_EVENT_CONTENT_BYTES = 256 * 1024;

/** A document with its public JSON, which is written once for the response, the event and the row. */
export interface PresentedDocument {
  document: Document;
  json: DocumentJson;
}

/** What an event is about. */
interface EventSubject extends PresentedDocument {
  /** The document before the change. */
  before?: Document;
  /** Members of `data` with texts, which only full payloads have. They replace those of `data` with the same name. */
  texts?: Record<string, unknown>;
}

/**
 * Returns the event of a change. Its bodies are final, except for the content, which the SQL statement inserts. `data` is
 * added next to the document, such as the names of changed fields. `before` is the document before the change, because
 * webhooks with a filter also receive events of documents that stop matching it.
 */
export function documentEvent(
  type: EventType,
  { document, json, before, texts = {} }: EventSubject,
  at: Date,
  context: RequestContext,
  data: Record<string, unknown> & { changes?: readonly string[] } = {},
): EventRow {
  const tail = tailOf({ ...data, ...texts });
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
    thinData: `{"document":${presentDocumentReference(document)}${tailOf(data)}`,
    states: statesOf(document, before, data.changes),
  });
}

/** Returns the members of `data` after the document, and the closing brace. */
function tailOf(data: Record<string, unknown>): string {
  const members = JSON.stringify(data).slice(1, -1);
  return members === '' ? '}' : `,${members}}`;
}

/** Returns the event of a permanent deletion, which contains no text of the document. */
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

function tooLarge({ content }: Document): boolean {
  return Buffer.byteLength(content) > MAX_EVENT_CONTENT_BYTES;
}
