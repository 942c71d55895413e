import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../../api/client.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import { countOf } from '../../components/numbers.js';
import classes from './success-bars.module.css';

const HOURS = 24;
const HEIGHT = 24;
const BAR = 4;
const GAP = 1;

interface Hour {
  at: string;
  succeeded: number;
  /** Attempts that failed, whether another one followed or not. */
  failed: number;
}

/** Attempts of the last 24 hours, a bar an hour: green answered 2xx, red not. */
export function SuccessBars({ webhookId, url }: { webhookId: string; url: string }) {
  const { id: accountId, api } = useAccount();
  const hours = useQuery({
    queryKey: [accountId, 'webhooks', webhookId, 'hours'],
    queryFn: async (): Promise<Hour[]> => {
      const { points } = await dataOf(
        api.GET('/v1/usage/series', {
          params: { query: { metric: 'deliveries', step: 'hour', by: 'outcome', webhookId } },
        }),
      );
      return points.slice(-HOURS).map(({ at, count, groups }) => {
        const succeeded = groups?.['succeeded']?.count ?? 0;
        return { at, succeeded, failed: count - succeeded };
      });
    },
    staleTime: 30_000,
    refetchInterval: every(60_000) as never,
  });
  if (!hours.data) return <svg className={classes.bars} aria-hidden="true" />;
  const total = hours.data.reduce((sum, { succeeded, failed }) => sum + succeeded + failed, 0);
  const succeeded = hours.data.reduce((sum, hour) => sum + hour.succeeded, 0);
  const text =
    total === 0
      ? 'No attempts in 24 hours'
      : `${String(Math.floor((succeeded / total) * 100))} % of ${countOf(total, 'attempt')}`;
  const most = Math.max(1, ...hours.data.map((hour) => hour.succeeded + hour.failed));
  return (
    <>
      <svg
        className={classes.bars}
        viewBox={`0 0 ${String(HOURS * (BAR + GAP))} ${String(HEIGHT)}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Success of ${url} in 24 hours: ${text}`}
      >
        {hours.data.map((hour, index) => (
          <Bar key={hour.at} hour={hour} x={index * (BAR + GAP)} most={most} />
        ))}
      </svg>
      <span>{text}</span>
    </>
  );
}

/** An hour with anything in it is at least so high, in units of the drawing. */
const LEAST = 3;

function Bar({ hour, x, most }: { hour: Hour; x: number; most: number }) {
  const { succeeded, failed } = hour;
  const all = succeeded + failed;
  if (all === 0) {
    return <rect className={classes.none} x={x} y={HEIGHT - 1} width={BAR} height={1} />;
  }
  const height = Math.max(LEAST, (all / most) * HEIGHT);
  const red = (failed / all) * height;
  return (
    <>
      <rect className={classes.failed} x={x} y={HEIGHT - height} width={BAR} height={red} />
      <rect
        className={classes.succeeded}
        x={x}
        y={HEIGHT - height + red}
        width={BAR}
        height={height - red}
      />
    </>
  );
}
