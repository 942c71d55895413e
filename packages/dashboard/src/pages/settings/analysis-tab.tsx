import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../../api/client.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import { usageQuery } from '../../api/usage.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { Meter } from '../../components/meter.js';
import { Section } from '../../components/page.js';
import { LoadingLines } from '../../components/page-loading.js';
import { QUOTA_NAMES } from '../../components/quotas.js';
import { AnalysisSettings } from './analysis-settings.js';
import classes from './settings.module.css';

/** By what texts are analysed, and how much of it the plan has left today. */
export function AnalysisTab() {
  const { id, api } = useAccount();
  const settings = useQuery({
    queryKey: [id, 'analysis-settings'],
    queryFn: () => dataOf(api.GET('/v1/analysis-settings')),
  });
  return (
    <>
      <Section title="Provider">
        {settings.data ? (
          <AnalysisSettings settings={settings.data} />
        ) : settings.error ? (
          <FailureAlert error={settings.error} onRetry={() => void settings.refetch()} />
        ) : (
          <LoadingLines rows={5} height={28} />
        )}
      </Section>
      <Budget />
    </>
  );
}

function Budget() {
  const { id, api } = useAccount();
  const usage = useQuery({
    ...usageQuery(id, api),
    refetchInterval: every(30_000) as never,
  });
  const quotas = usage.data?.usage.quotas;
  return (
    <Section title="Today's budget">
      {quotas ? (
        <Stack>
          <div className={classes.meters}>
            <Meter
              name={QUOTA_NAMES.analysesPerDay}
              used={quotas.analysesPerDay.used}
              limit={quotas.analysesPerDay.limit}
            />
            <Meter
              name={QUOTA_NAMES.modelTokensPerDay}
              used={quotas.modelTokensPerDay.used}
              limit={quotas.modelTokensPerDay.limit}
            />
          </div>
          <Text size="sm" c="dimmed">
            Both reset at midnight UTC. Stored analyses don't count.
          </Text>
        </Stack>
      ) : usage.error ? (
        <FailureAlert error={usage.error} onRetry={() => void usage.refetch()} />
      ) : (
        <LoadingLines rows={2} />
      )}
    </Section>
  );
}
