import type { components } from '../../api/v1-schema.js';

export type Event = components['schemas']['Event'];

/** The parts of an event that a list shows. An event may contain a whole document. */
export interface EventRow extends Pick<Event, 'id' | 'type' | 'timestamp' | 'actor' | 'requestId'> {
  documentId: string | undefined;
  webhookId: string | undefined;
  /** Title of the document, if the event contains it. */
  title: string | undefined;
}

export function rowOf(event: Event): EventRow {
  const { id, type, timestamp, actor, requestId } = event;
  return {
    ...{ id, type, timestamp, actor, requestId },
    documentId: documentIdOf(event),
    webhookId: textIn(event, 'webhook', 'id'),
    title: textIn(event, 'document', 'title'),
  };
}

/** Returns the ID of the event's document, if any. */
export function documentIdOf(event: Event): string | undefined {
  return textIn(event, 'document', 'id');
}

function textIn({ data }: Event, subject: 'document' | 'webhook', field: string) {
  const found: unknown = data[subject];
  if (typeof found !== 'object' || found === null) return undefined;
  const value: unknown = (found as Record<string, unknown>)[field];
  return typeof value === 'string' ? value : undefined;
}
