import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import { usageQuery } from '../../api/usage.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { LoadingLines } from '../../components/page-loading.js';
import { Page, Section } from '../../components/page.js';
import { PlansTable } from '../../components/plans-table.js';
import { FirstSteps } from './first-steps.js';
import { NeedsAttention } from './needs-attention.js';
import { QuotaMeters } from './quota-meters.js';
import { OVERVIEW_INTERVAL } from './usage-series.js';
import { WindowMeters } from './window-meters.js';
import { loadPart } from '../../load-part.js';

/** Charts come with their data: they are no part of what must be there before Overview shows. */
const Traffic = lazy(async () => ({
  default: (await loadPart(() => import('./traffic.js'))).Traffic,
}));

export function OverviewPage() {
  const { id, api, name } = useAccount();
  const usage = useQuery({
    ...usageQuery(id, api),
    refetchInterval: every(OVERVIEW_INTERVAL) as never,
  });
  return (
    <Page title="Overview" sentence={`Activity and limits for ${name}`}>
      <FirstSteps />
      {usage.data ? (
        <WindowMeters windows={usage.data.usage.rateLimits} clockSkewMs={usage.data.clockSkewMs} />
      ) : (
        <UsageMissing error={usage.error} onRetry={() => void usage.refetch()} />
      )}
      <NeedsAttention />
      <Suspense
        fallback={
          <Section title="Traffic">
            <LoadingLines rows={6} height={44} />
          </Section>
        }
      >
        <Traffic />
      </Suspense>
      {usage.data && <QuotaMeters quotas={usage.data.usage.quotas} />}
      <Section title="Plans">
        <PlansTable />
      </Section>
    </Page>
  );
}

/** In the place of the meters while there is nothing to show in them. */
function UsageMissing({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <Section title="Rate limits">
      {error === null ? (
        <LoadingLines rows={2} height={26} />
      ) : (
        <FailureAlert error={error} onRetry={onRetry} />
      )}
    </Section>
  );
}
