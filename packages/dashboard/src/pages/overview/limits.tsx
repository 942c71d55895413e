import type { ReactNode } from 'react';
import { useAccount } from '../../api/session.js';
import type { components } from '../../api/v1-schema.js';
import { AppLink } from '../../components/app-link.js';
import { LimitsTable, type Limit } from '../../components/limits-table.js';
import { formatCount } from '../../components/numbers.js';
import { Section } from '../../components/page.js';
import { formatQuota, QUOTA_NAMES, QUOTAS, type Quota } from '../../components/quotas.js';
import { useNow } from '../../components/time.js';
import { isInNavigation } from '../../shell/navigation.js';
import { countdown } from './countdown.js';

type Usage = components['schemas']['Usage'];

const WINDOWS = ['minute', 'hour', 'day'] as const;

/** Not shown to people who cannot see the pages of these. */
const OF_DEVELOPERS: ReadonlySet<Quota> = new Set(['webhooks', 'keys']);

interface LimitsProps {
  usage: Usage;
  /** How many ms the browser's clock is ahead of the service's. */
  clockSkewMs: number;
}

/** Rate limits of the plan with the time until each resets, and quotas. */
export function Limits({ usage, clockSkewMs }: LimitsProps) {
  const now = new Date(useNow(1_000).getTime() - clockSkewMs);
  const account = useAccount();
  const develops = isInNavigation(account, '/{-$accountId}/requests');
  const notes = useNotes(usage.quotas);
  const quotas = QUOTAS.filter((quota) => develops || !OF_DEVELOPERS.has(quota)).map(
    (quota): Limit => ({
      name: QUOTA_NAMES[quota],
      used: usage.quotas[quota].used,
      limit: usage.quotas[quota].limit,
      format: (amount) => formatQuota(quota, amount),
      note: notes[quota],
    }),
  );
  const windows = (develops ? WINDOWS : []).map((name) =>
    windowLimit(name, usage.rateLimits[name], now),
  );
  return (
    <Section title="Limits">
      <LimitsTable name="Limits" limits={[...windows, ...quotas]} />
    </Section>
  );
}

function windowLimit(
  name: (typeof WINDOWS)[number],
  { limit, used, resetAt }: components['schemas']['WindowUsage'],
  now: Date,
): Limit {
  const end = resetAt === null ? undefined : new Date(resetAt);
  const isOver = end === undefined || end <= now;
  return {
    name: `Requests this ${name}`,
    // A window that has ended is empty until the next request starts another one.
    used: isOver && used !== null ? 0 : used,
    limit,
    note: isOver ? 'Starts with the next request' : `Resets in ${countdown(end, now)}`,
  };
}

function useNotes({ documents }: Usage['quotas']): Partial<Record<Quota, ReactNode>> {
  const { may } = useAccount();
  return {
    documents: (
      <>
        <AppLink td="underline" to="/{-$accountId}/documents">
          View documents
        </AppLink>
        {documents.inTrash > 0 && `, with ${formatCount(documents.inTrash)} in the trash`}
      </>
    ),
    storageBytes: <AppLink to="/{-$accountId}/settings">Compare plans</AppLink>,
    webhooks: <AppLink to="/{-$accountId}/webhooks">View webhooks</AppLink>,
    keys: may('keys:read') && <AppLink to="/{-$accountId}/keys">View keys</AppLink>,
    members: <AppLink to="/{-$accountId}/members">View members</AppLink>,
  };
}
