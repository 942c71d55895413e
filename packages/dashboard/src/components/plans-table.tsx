import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '../api/account.js';
import type { PlanRow } from '../api/people.js';
import { useAccount } from '../api/session.js';
import { usageQuery } from '../api/usage.js';
import type { components } from '../api/v1-schema.js';
import classes from './data-table.module.css';
import { FailureAlert } from './failure-alert.js';
import { formatCount } from './numbers.js';
import { LoadingLines } from './page-loading.js';
import { ScrollFrame } from './scroll-frame.js';
import { formatQuota, QUOTA_NAMES, QUOTAS } from './quotas.js';

type Usage = components['schemas']['Usage'];

const WINDOWS = [
  ['minute', 'Requests per minute'],
  ['hour', 'Requests per hour'],
  ['day', 'Requests per day'],
] as const;

/** The limits of each plan. The row of the account's own plan is marked and shows the account's limits. */
export function PlansTable() {
  const { id, api } = useAccount();
  const account = useQuery(accountQuery(id));
  const usage = useQuery({ ...usageQuery(id, api), staleTime: 60_000 });
  if (account.data && usage.data) {
    return <Table plans={account.data.plans} usage={usage.data.usage} />;
  }
  const failed = [account, usage].find(({ error, data }) => error && !data);
  if (failed) return <FailureAlert error={failed.error} onRetry={() => void failed.refetch()} />;
  return <LoadingLines rows={5} height={26} />;
}

/** Of its own making: the table of lists brings boxes to select rows by, which would make the entry larger. */
function Table({ plans, usage }: { plans: readonly PlanRow[]; usage: Usage }) {
  return (
    <ScrollFrame name="Plans, list">
      <table className={classes.table} aria-label="Plans">
        <thead>
          <tr>
            <th scope="col">Plan</th>
            {WINDOWS.map(([window, name]) => (
              <th key={window} scope="col" className={classes.number}>
                {name}
              </th>
            ))}
            {QUOTAS.map((quota) => (
              <th key={quota} scope="col" className={classes.number}>
                {QUOTA_NAMES[quota]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {plans.map((row) => (
            <PlanLine key={row.plan} row={row} own={row.plan === usage.plan ? usage : undefined} />
          ))}
        </tbody>
      </table>
    </ScrollFrame>
  );
}

/** `own` where it is the account's plan: its windows are what the operator sets, if anything. */
function PlanLine({ row, own }: { row: PlanRow; own: Usage | undefined }) {
  const { plan, windows, quotas } = row;
  return (
    <tr data-open={own !== undefined || undefined} aria-current={own !== undefined || undefined}>
      <td className={classes.narrow}>
        {plan.charAt(0).toUpperCase() + plan.slice(1)}{' '}
        {own && <Badge variant="filled">Your plan</Badge>}
      </td>
      {WINDOWS.map(([window]) => {
        const limit = own ? own.rateLimits[window].limit : windows[window];
        return (
          <td key={window} className={classes.number}>
            {limit === null ? (own ? 'no limit' : 'custom') : formatCount(limit)}
          </td>
        );
      })}
      {QUOTAS.map((quota) => {
        const limit = quotas[quota] ?? null;
        return (
          <td key={quota} className={classes.number}>
            {limit === null ? 'no limit' : formatQuota(quota, limit)}
          </td>
        );
      })}
    </tr>
  );
}
