/**
 * The values of a document at one moment by the names that webhook filters use, such as `types` and `metadata.region`. The
 * database function `passes_webhook_filter` compares them with a stored filter, which has the same form.
 */
export type EventState = Readonly<Record<string, readonly string[]>>;

/** Stands for any change. Events that name no changes, such as creations, have it, and so do all filters by changes. */
export const ANY_CHANGE = '*';

/** Precedes the dotted path of a metadata value. */
export const METADATA_PREFIX = 'metadata.';

/** Maximum length of the values and the metadata paths that a webhook can filter by, in UTF-16 units. */
export const MAX_FILTER_CHARACTERS = 200;

/** The fields that `data.changes` of an event can name. */
export const CHANGED_FIELDS = [
  'title',
  'type',
  'content',
  'metadata',
  'aiSettings',
  'status',
  'externalId',
  'collectionId',
] as const;

/** The statuses of documents in events. */
export const EVENT_STATUSES = ['draft', 'in_review', 'published', 'archived'] as const;
