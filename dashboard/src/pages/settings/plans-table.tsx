import { Badge } from '@mantine/core';
import type { Plan, PlanRow } from '../../api/dashboard-schema.js';
import { formatBytes, formatCount } from '../../components/numbers.js';
import table from '../../components/data-table.module.css';
import classes from './settings.module.css';

const PLAN_NAMES: Readonly<Record<Plan, string>> = {
  free: 'Free',
  plus: 'Plus',
  pro: 'Pro',
  enterprise: 'Enterprise',
};

type Limit = readonly [name: string, of: (plan: PlanRow) => string];

const quota =
  (name: string, format = formatCount) =>
  ({ quotas }: PlanRow) => {
    const limit = quotas[name];
    return limit === null || limit === undefined ? 'No limit' : format(limit);
  };
const requests =
  (window: keyof PlanRow['windows']) =>
  ({ plan, windows }: PlanRow) => {
    const limit = windows[window];
    if (limit !== null) return formatCount(limit);
    return plan === 'enterprise' ? 'As agreed' : 'No limit';
  };

const LIMITS: readonly Limit[] = [
  ['Requests a minute', requests('minute')],
  ['Requests an hour', requests('hour')],
  ['Requests a day', requests('day')],
  ['Documents', quota('documents')],
  ['Storage', quota('storageBytes', formatBytes)],
  ['Webhooks', quota('webhooks')],
  ['API keys', quota('keys')],
  ['Members', quota('members')],
  ['Analyses a day', quota('analysesPerDay')],
  ['Tokens of the model a day', quota('modelTokensPerDay')],
];

interface PlansTableProps {
  plans: readonly PlanRow[];
  own: Plan;
}

/** What each plan allows, with the account's own one marked. */
export function PlansTable({ plans, own }: PlansTableProps) {
  const ownColumn = (plan: Plan) => (plan === own ? classes.own : undefined);
  return (
    <div className={table.frame} role="region" aria-label="Plans, list" tabIndex={0}>
      <table className={table.table} aria-label="Plans">
        <thead>
          <tr>
            <th scope="col">Limit</th>
            {plans.map(({ plan }) => (
              <th key={plan} scope="col" className={ownColumn(plan)}>
                {PLAN_NAMES[plan]} {plan === own && <Badge>Your plan</Badge>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {LIMITS.map(([name, limitOf]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {plans.map((row) => (
                <td key={row.plan} className={ownColumn(row.plan)}>
                  {limitOf(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
