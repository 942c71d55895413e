import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../../api/client.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import { AppLink } from '../../components/app-link.js';
import { Sparkline, type ChartSeries } from '../../components/charts/chart.js';
import { formatCount } from '../../components/numbers.js';
import { useSearchState } from '../../search-state.js';

const COLORS = [
  ['2xx', 'good'],
  ['3xx', 'neutral'],
  ['4xx', 'warning'],
  ['429', 'limited'],
  ['5xx', 'bad'],
] as const satisfies readonly (readonly [string, ChartSeries['color']])[];

/** The requests of the last hour, one bar per minute. Only those of one key if the list is filtered by it. */
export function LastHour() {
  const { id, api } = useAccount();
  const [{ keyId }] = useSearchState();
  const series = useQuery({
    queryKey: [id, 'usage-series', 'last-hour', keyId],
    queryFn: () => {
      const query = { metric: 'requests', step: 'minute', by: 'status', keyId } as const;
      return dataOf(api.GET('/v1/usage/series', { params: { query } }));
    },
    refetchInterval: every(10_000) as never,
    placeholderData: (previous) => previous,
  });
  // The list below shows the failure of both.
  if (series.error && !series.data) return null;
  if (!series.data) return null;
  const { points, from: since } = series.data;
  if (points.every(({ count }) => count === 0)) return null;
  return (
    <Sparkline
      title="Requests per minute, last hour"
      starts={points.map(({ at }) => at)}
      step="minute"
      format={formatCount}
      series={COLORS.map(([status, color]) => {
        const values = points.map(({ groups }) => groups?.[status]?.count ?? 0);
        const sum = values.reduce((total, value) => total + value, 0);
        const legend = (
          <AppLink to="." search={(state: object) => ({ ...state, status, since })}>
            {status} {formatCount(sum)}
          </AppLink>
        );
        return { name: status, color, values, legend };
      })}
    />
  );
}
