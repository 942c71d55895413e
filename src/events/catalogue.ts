/** Every event the service can emit; webhooks may listen to these names, to `document.*` and `webhook.*`, or to `*`. */
export const EVENT_TYPES = [
  'document.created',
  'document.updated',
  'document.status_changed',
  'document.published',
  'document.archived',
  'document.deleted',
  'document.restored',
  'document.analyzed',
  'document.enhanced',
  'webhook.test',
  'webhook.disabled',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];
