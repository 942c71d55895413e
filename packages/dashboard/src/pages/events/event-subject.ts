import type { components } from '../../api/v1-schema.js';
import { formatCount } from '../../components/numbers.js';
import { formatQuota, QUOTA_NAMES, QUOTAS } from '../../components/quotas.js';
import { capitalized } from '../../components/words.js';

export type Event = components['schemas']['Event'];

/** The parts of an event that a list shows. An event may contain a whole document. */
export interface EventRow extends Pick<Event, 'id' | 'type' | 'timestamp' | 'actor' | 'requestId'> {
  documentId: string | undefined;
  webhookId: string | undefined;
  /** Title of the document, if the event contains it. */
  title: string | undefined;
  /** The limit that was reached, and how far. */
  usage: string | undefined;
}

export function rowOf(event: Event): EventRow {
  const { id, type, timestamp, actor, requestId } = event;
  return {
    ...{ id, type, timestamp, actor, requestId },
    documentId: documentIdOf(event),
    webhookId: textIn(event, 'webhook', 'id'),
    title: textIn(event, 'document', 'title'),
    usage: usageIn(event),
  };
}

type Threshold = components['schemas']['UsageThresholdReachedEvent']['data'];

/** Describes a reached limit: "Requests per day: 80% of 1,000, key Build server". */
function usageIn({ type, data }: Event): string | undefined {
  if (type !== 'usage.threshold_reached') return undefined;
  const { limit, window, threshold, of, key } = data as Threshold;
  const quota = QUOTAS.find((name) => name === limit);
  const what = quota ? QUOTA_NAMES[quota] : `${capitalized(limit)} per ${window ?? 'day'}`;
  const amount = quota ? formatQuota(quota, of) : formatCount(of);
  return `${what}: ${String(threshold)}% of ${amount}${key ? `, key ${key.name}` : ''}`;
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
