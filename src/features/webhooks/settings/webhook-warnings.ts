import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { typesOf, type EventType } from '../../events/catalogue/catalogue.js';
import type { Webhook } from '../webhooks.repository.js';
import type { StoredFilter } from './webhook-filter.js';

type Subscription = Pick<Webhook, 'id' | 'url' | 'events' | 'filter' | 'status'>;

/** Maximum number of other webhooks that warnings name. */
const MAX_NAMED = 5;

/**
 * Returns likely mistakes in what a webhook receives: nothing but tests, or events that another active webhook sends to the
 * same URL. `others` are webhooks of the same account, with or without this one.
 */
export function subscriptionWarnings(
  webhook: Subscription,
  others: readonly Subscription[],
): FieldProblem[] {
  return [...testsOnlyWarnings(webhook), ...repeatedWarnings(webhook, others)];
}

function testsOnlyWarnings({ events }: Subscription): FieldProblem[] {
  if (typesOf(events).some((type) => type !== 'webhook.test')) return [];
  const issue =
    'select nothing but tests, which every webhook receives; to learn of changes, add events such as document.*';
  return [{ field: 'events', issue }];
}

function repeatedWarnings(webhook: Subscription, others: readonly Subscription[]): FieldProblem[] {
  if (webhook.status !== 'active') return [];
  const url = comparable(webhook.url);
  return others
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .filter((other) => other.id !== webhook.id && other.status === 'active')
    .filter((other) => comparable(other.url) === url)
    .flatMap((other) => {
      const shared = sharedTypes(webhook, other);
      if (shared.length === 0) return [];
      const issue = `is also the URL of ${encodeId('webhook', other.id)}, which selects ${namesOf(shared)}, too: the receiver gets these events twice; delete one of the webhooks, or select different events`;
      return [{ field: 'url', issue }];
    })
    .slice(0, MAX_NAMED);
}

/** Returns a form of a URL that is the same for all spellings that lead to the same receiver. */
function comparable(text: string): string {
  const url = new URL(text);
  url.hostname = url.hostname.replace(/\.$/, '');
  return url.href;
}

/** Returns the event types that both receive. Tests go to the tested webhook only. */
function sharedTypes(one: Subscription, other: Subscription): EventType[] {
  const types = new Set(typesOf(other.events));
  const areSplit = areDisjoint(one.filter, other.filter);
  return typesOf(one.events).filter(
    (type) =>
      types.has(type) && type !== 'webhook.test' && !(areSplit && type.startsWith('document.')),
  );
}

/** True if no document matches both filters. A document has one type, one status and one project, but any number of tags. */
function areDisjoint(one: StoredFilter | null, other: StoredFilter | null): boolean {
  return (['types', 'statuses', 'projects'] as const).some((kind) => {
    const [values, others] = [one?.[kind], other?.[kind]];
    return values !== undefined && others !== undefined && !values.some((v) => others.includes(v));
  });
}

/** Returns `document.created, document.updated and 3 more`. */
function namesOf(types: readonly EventType[]): string {
  if (types.length <= 3) return types.join(' and ');
  return `${types.slice(0, 2).join(', ')} and ${String(types.length - 2)} more`;
}
