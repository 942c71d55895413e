import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import { usageQuery } from '../../api/usage.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { LoadingLines } from '../../components/page-loading.js';
import { Page, Section } from '../../components/page.js';
import { isInNavigation } from '../../shell/navigation.js';
import { FirstSteps } from './first-steps.js';
import { Limits } from './limits.js';
import { NeedsAttention } from './needs-attention.js';
import { OVERVIEW_INTERVAL } from './usage-series.js';
import { loadAlone } from '../../load-part.js';

/** Charts load with their data, after the page is shown. */
const Traffic = lazy(async () => ({
  default: (await loadAlone(() => import('./traffic.js'))).Traffic,
}));

export function OverviewPage() {
  const account = useAccount();
  const { id, api, name } = account;
  const develops = isInNavigation(account, '/{-$accountId}/requests');
  const usage = useQuery({
    ...usageQuery(id, api),
    refetchInterval: every(OVERVIEW_INTERVAL) as never,
  });
  return (
    <Page title="Overview" sentence={`Activity and limits for ${name}`}>
      {develops && <NeedsAttention />}
      <FirstSteps />
      {develops && (
        <Suspense
          fallback={
            <Section title="Traffic">
              <LoadingLines rows={6} height={44} />
            </Section>
          }
        >
          <Traffic storage={usage.data?.usage.quotas.storageBytes} />
        </Suspense>
      )}
      {usage.data ? (
        <Limits {...usage.data} />
      ) : (
        <Section title="Limits">
          {usage.error ? (
            <FailureAlert error={usage.error} onRetry={() => void usage.refetch()} />
          ) : (
            <LoadingLines rows={8} height={26} />
          )}
        </Section>
      )}
    </Page>
  );
}
