import type { components } from './v1-schema.js';

export type EventType = components['schemas']['Event']['type'];

/** Every event, with when it happens. */
export const EVENT_TYPES = {
  'document.created': 'A document was created or imported.',
  'document.updated': 'Title, content, type, tags or metadata of a document changed.',
  'document.status_changed': 'A document moved to another status.',
  'document.published': 'A document was published.',
  'document.archived': 'A document was archived.',
  'document.deleted': 'A document was put into the trash.',
  'document.restored': 'A document came back from the trash.',
  'document.analyzed': 'An analysis of a document is complete.',
  'document.enhanced': 'An enhancement of a document is complete.',
  'document.quality_dropped': 'The quality score of a document fell.',
  'webhook.test': 'Somebody sent a test event.',
  'webhook.disabled': 'A webhook was disabled, and nothing is sent to it any more.',
} as const satisfies Record<EventType, string>;

export type SelectableEvent = components['schemas']['Webhook']['events'][number];

/** What a webhook may listen to: patterns, which stand for several events, and each event. */
export const SELECTABLE_EVENTS = {
  '*': 'All events, also those that the service will have later.',
  'document.*': 'All events of documents.',
  'webhook.*': 'All events of webhooks.',
  ...EVENT_TYPES,
} as const satisfies Record<SelectableEvent, string>;

/** Every event, by name. */
export const EVENT_NAMES = Object.keys(EVENT_TYPES) as EventType[];
