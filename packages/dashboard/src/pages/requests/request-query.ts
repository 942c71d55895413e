import type { paths } from '../../api/v1-schema.js';
import { PAGE_SIZE } from '../../components/pager.js';
import type { SearchState } from '../../search-state.js';

type RequestsQuery = NonNullable<paths['/v1/requests']['get']['parameters']['query']>;

export const FILTERS = [
  'status',
  'method',
  'route',
  'source',
  'keyId',
  'address',
  'since',
  'until',
] as const;

/** Returns the query for the API from the URL. */
export function requestsQuery(state: SearchState): RequestsQuery {
  const { status, cursor } = state;
  const given = FILTERS.filter((name) => name !== 'status' && state[name] !== undefined);
  const others = Object.fromEntries(given.map((name) => [name, state[name]]));
  return {
    ...others,
    ...(status !== undefined && { status: status.split(',') }),
    ...(cursor !== undefined && { cursor }),
    limit: PAGE_SIZE,
  };
}

/** Returns why some requests are not in the list, or undefined if all are. */
export function notKeptSentence(
  log: { days: number; notKept: Record<'busy' | 'outage' | 'full', number> } | undefined,
): string | undefined {
  if (!log) return undefined;
  if (log.days === 0) return 'The operator turned off the request log.';
  const { busy, outage, full } = log.notKept;
  const count = new Intl.NumberFormat('en');
  const reasons = [
    busy > 0 && `${count.format(busy)} arrived too fast to log`,
    outage > 0 && `${count.format(outage)} while the database was unavailable`,
    full > 0 && `${count.format(full)} exceeded the log size`,
  ].filter((reason) => reason !== false);
  if (reasons.length === 0) return undefined;
  return `Counted in Overview but not listed here: ${reasons.join(', ')}.`;
}
