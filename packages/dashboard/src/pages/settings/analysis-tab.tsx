import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../../api/client.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import { usageQuery } from '../../api/usage.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { LimitsTable } from '../../components/limits-table.js';
import { Section } from '../../components/page.js';
import { LoadingLines } from '../../components/page-loading.js';
import { QUOTA_NAMES } from '../../components/quotas.js';
import { useRules } from '../../components/use-rules.js';
import { useSearchState } from '../../search-state.js';
import { AnalysisSettings } from './analysis-settings.js';
import classes from './settings.module.css';

/** The analysis method, and how many analyses are left today. */
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
      <TurnedOffRules />
      <Budget />
    </>
  );
}

/** Rules that are turned off in this account. */
function TurnedOffRules() {
  const { settings, off, turn } = useRules();
  const [, change] = useSearchState();
  if (!settings.data) return null;
  return (
    <Section title="Rules turned off">
      <Stack align="flex-start">
        {off.size === 0 ? (
          <Text size="sm">All rules are turned on.</Text>
        ) : (
          <ul className={classes.words} aria-label="Rules turned off">
            {[...off].map((ruleId) => (
              <li key={ruleId} className={classes.word}>
                <code>{ruleId}</code>
                {turn && (
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    aria-label={`Turn on ${ruleId}`}
                    onClick={() => {
                      turn(ruleId, true);
                    }}
                  >
                    Turn on
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
        <Button
          size="xs"
          variant="default"
          onClick={() => {
            change({ tab: 'rules' });
          }}
        >
          Show all rules
        </Button>
      </Stack>
    </Section>
  );
}

const BUDGET = ['analysesPerDay', 'modelTokensPerDay'] as const;

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
          <LimitsTable
            name="Today's budget"
            limits={BUDGET.map((quota) => ({ name: QUOTA_NAMES[quota], ...quotas[quota] }))}
          />
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
