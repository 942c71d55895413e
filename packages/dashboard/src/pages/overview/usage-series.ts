import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../../api/client.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import type { components } from '../../api/v1-schema.js';
import { beginOf, type rangeNamed } from './time-ranges.js';

/** Polling interval of the Overview page, in ms. */
export const OVERVIEW_INTERVAL = 10_000;

type Series = components['schemas']['UsageSeries'];
type Metric = Series['metric'];

/** Loads a usage series over a range that ends now. */
export function useUsageSeries(
  metric: Metric,
  by: 'status' | 'outcome' | undefined,
  range: ReturnType<typeof rangeNamed>,
) {
  const { id, api } = useAccount();
  return useQuery({
    queryKey: [id, 'usage-series', metric, by, range.name],
    queryFn: () => {
      const query = { metric, by, step: range.step, from: beginOf(range, new Date()) };
      return dataOf(api.GET('/v1/usage/series', { params: { query } }));
    },
    refetchInterval: every(OVERVIEW_INTERVAL) as never,
    placeholderData: (previous) => previous,
  });
}

/** Returns the values of a group at each step; 0 if there is none. */
export function countsOf({ points }: Series, group: string): number[] {
  return points.map(({ groups }) => groups?.[group]?.count ?? 0);
}

export function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
