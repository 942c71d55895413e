import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../../api/client.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import type { components } from '../../api/v1-schema.js';
import { beginOf, type rangeNamed } from './time-ranges.js';

/** How often Overview is asked again while it is visible, in ms. */
export const OVERVIEW_INTERVAL = 10_000;

type Series = components['schemas']['UsageSeries'];
type Metric = Series['metric'];

/** What was counted over a range that ends now. */
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

/** The values of a group at each point; 0 where it has none. */
export function countsOf({ points }: Series, group: string): number[] {
  return points.map(({ groups }) => groups?.[group]?.count ?? 0);
}

export function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
