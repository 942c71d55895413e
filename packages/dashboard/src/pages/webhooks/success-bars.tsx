import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../../api/client.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import { countOf } from '../../components/numbers.js';
import classes from './success-bars.module.css';

const HOURS = 24;
const HEIGHT = 16;
const BAR = 7;
const GAP = 2;

interface Hour {
  at: string;
  succeeded: number;
  /** Failed attempts, whether they were retried or not. */
  failed: number;
}

/** The share of successful attempts over 24 bars, one for each hour: green returned 2xx, red did not. */
export function SuccessBars({ webhookId, name }: { webhookId: string; name: string }) {
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
  if (!hours.data) {
    return <svg className={classes.bars} aria-hidden="true" aria-busy={hours.isPending} />;
  }
  const total = hours.data.reduce((sum, hour) => sum + hour.succeeded + hour.failed, 0);
  const succeeded = hours.data.reduce((sum, hour) => sum + hour.succeeded, 0);
  const percent = `${String(Math.floor((succeeded / total) * 100))}%`;
  const attempts = total === 0 ? 'No attempts' : countOf(total, 'attempt');
  return (
    <div className={classes.success}>
      <span className={classes.text}>
        {total > 0 && <strong>{percent}</strong>}
        <span>{attempts}</span>
      </span>
      <svg
        className={classes.bars}
        viewBox={`0 0 ${String(HOURS * (BAR + GAP) - GAP)} ${String(HEIGHT)}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Success of ${name} in 24 hours: ${total === 0 ? attempts : `${percent} of ${attempts}`}`}
      >
        {hours.data.map((hour, index) => (
          <Bar key={hour.at} hour={hour} x={index * (BAR + GAP)} />
        ))}
      </svg>
    </div>
  );
}

/** A failure is visible among many successes, in units of the drawing. */
const LEAST_RED = 3;

function Bar({ hour: { succeeded, failed }, x }: { hour: Hour; x: number }) {
  const all = succeeded + failed;
  const red = failed === 0 ? 0 : Math.max(LEAST_RED, (failed / all) * HEIGHT);
  return (
    <>
      <rect
        className={all === 0 ? classes.none : classes.succeeded}
        x={x}
        width={BAR}
        height={HEIGHT}
      />
      {red > 0 && <rect className={classes.failed} x={x} width={BAR} height={red} />}
    </>
  );
}
