import type { components } from './v1-schema.js';

export type EventType = components['schemas']['Event']['type'];

/** All events, each with a description of when it happens. */
export const EVENT_TYPES = {
  'document.created': 'A document was created or imported.',
  'document.updated': 'The title, content, type, tags or metadata of a document changed.',
  'document.status_changed': 'The status of a document changed.',
  'document.published': 'A document was published.',
  'document.unpublished': 'A published version of a document was withdrawn from readers.',
  'document.archived': 'A document was archived.',
  'document.deleted': 'A document was moved to the trash.',
  'document.restored': 'A document was restored from the trash.',
  'document.analyzed': 'A document analysis finished.',
  'document.enhanced': 'Suggestions for a document are ready.',
  'document.quality_dropped': 'The quality score of a document dropped.',
  'proposal.created': 'Someone proposed changes to a document.',
  'proposal.decided': 'All changes of a proposal were decided.',
  'collection.created': 'A collection was created.',
  'collection.updated': 'A collection was renamed or moved.',
  'collection.deleted': 'An empty collection was deleted.',
  'collection.access_changed': 'Who can use a collection changed.',
  'release.published': 'A release was published.',
  'release.failed': 'A scheduled release failed, and nothing was published.',
  'usage.threshold_reached': 'The account or a key used 80% or all of a limit.',
  'webhook.test': 'Someone sent a test event.',
  'webhook.disabled': 'A webhook was disabled.',
} as const satisfies Record<EventType, string>;

export type SelectableEvent = components['schemas']['Webhook']['events'][number];

/** What a webhook can subscribe to: patterns for several events, and single events. */
export const SELECTABLE_EVENTS = {
  '*': 'All events, including types added later.',
  'document.*': 'All document events.',
  'proposal.*': 'All proposal events.',
  'collection.*': 'All collection events.',
  'release.*': 'All release events.',
  'usage.*': 'All usage events.',
  'webhook.*': 'All webhook events.',
  ...EVENT_TYPES,
} as const satisfies Record<SelectableEvent, string>;

/** Names of all events. */
export const EVENT_NAMES = Object.keys(EVENT_TYPES) as EventType[];
