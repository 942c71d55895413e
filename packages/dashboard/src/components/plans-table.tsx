import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { accountQuery } from '../api/account.js';
import type { PlanRow } from '../api/people.js';
import { useAccount } from '../api/session.js';
import { usageQuery } from '../api/usage.js';
import type { components } from '../api/v1-schema.js';
import { FailureAlert } from './failure-alert.js';
import { formatCount } from './numbers.js';
import { LoadingLines } from './page-loading.js';
import classes from './plans-table.module.css';
import { formatQuota, QUOTA_NAMES, QUOTAS } from './quotas.js';
import { capitalized } from './words.js';

type Usage = components['schemas']['Usage'];

const WINDOWS = [
  ['minute', 'Requests per minute'],
  ['hour', 'Requests per hour'],
  ['day', 'Requests per day'],
] as const;

/** Shows the limits of each plan. The account's plan is marked and shows the account's own limits. */
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

interface Line {
  name: string;
  limitOf: (plan: PlanRow) => string;
}

/** For the account's own plan, shows the limits that the operator set for the account, if any. */
function linesFor(usage: Usage): readonly Line[] {
  const windows = WINDOWS.map(([window, name]) => ({
    name,
    limitOf: ({ plan, windows: limits }: PlanRow) => {
      const isOwn = plan === usage.plan;
      const limit = isOwn ? usage.rateLimits[window].limit : limits[window];
      if (limit !== null) return formatCount(limit);
      return isOwn ? 'No limit' : 'Custom';
    },
  }));
  const quotas = QUOTAS.map((quota) => ({
    name: QUOTA_NAMES[quota],
    limitOf: ({ quotas: limits }: PlanRow) => {
      const limit = limits[quota] ?? null;
      return limit === null ? 'No limit' : formatQuota(quota, limit);
    },
  }));
  return [...windows, ...quotas];
}

/** One column per plan. On phones, one list per limit with all plans. */
function Table({ plans, usage }: { plans: readonly PlanRow[]; usage: Usage }) {
  const isOwn = ({ plan }: PlanRow) => plan === usage.plan;
  return (
    <table className={classes.table} role="table" aria-label="Plans">
      <thead role="rowgroup">
        <tr role="row">
          <th scope="col" role="columnheader">
            Limit
          </th>
          {plans.map((row) => (
            <th
              key={row.plan}
              scope="col"
              role="columnheader"
              aria-current={isOwn(row) ? true : undefined}
            >
              {capitalized(row.plan)} {isOwn(row) && <Badge variant="filled">Your plan</Badge>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {linesFor(usage).map(({ name, limitOf }) => (
          <tr key={name} role="row">
            <th scope="row" role="rowheader">
              {name}
            </th>
            {plans.map((row) => (
              <td
                key={row.plan}
                role="cell"
                data-own={isOwn(row) ? true : undefined}
                data-before={capitalized(row.plan)}
              >
                {limitOf(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
