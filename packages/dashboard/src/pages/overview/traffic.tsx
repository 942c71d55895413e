import type { UseQueryResult } from '@tanstack/react-query';
import { lazy, Suspense, type ReactNode } from 'react';
import { AppLink } from '../../components/app-link.js';
import { AddressTabs } from '../../components/address-tabs.js';
import { Chart, type ChartSeries } from '../../components/charts/chart.js';
import { EmptyState } from '../../components/empty-state.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { formatCount, formatDuration } from '../../components/numbers.js';
import { LoadingLines } from '../../components/page-loading.js';
import { Section } from '../../components/page.js';
import { capitalized } from '../../components/words.js';
import type { components } from '../../api/v1-schema.js';
import { useSearchState } from '../../search-state.js';
import type { Outcome } from './deliveries-panel.js';
import { KeyNumbers, type StorageUsage } from './key-numbers.js';
import classes from './overview.module.css';
import { rangeNamed, TIME_RANGES } from './time-ranges.js';
import { countsOf, sumOf, useUsageSeries } from './usage-series.js';
import { loadPart } from '../../load-part.js';

const DeliveriesPanel = lazy(async () => ({
  default: (await loadPart(() => import('./deliveries-panel.js'))).DeliveriesPanel,
}));

type Series = components['schemas']['UsageSeries'];
type Range = ReturnType<typeof rangeNamed>;

/** Shows the main numbers and three charts for the range in the URL. */
export function Traffic({ storage }: { storage: StorageUsage }) {
  return (
    <Section title="Traffic">
      <AddressTabs
        label="Time"
        name="range"
        tabs={TIME_RANGES.map(({ name, text }) => ({
          value: name,
          title: text,
          panel: () => <TrafficIn range={rangeNamed(name)} storage={storage} />,
        }))}
      />
    </Section>
  );
}

/** The numbers and charts of a range, or one sentence if nothing happened in it. */
function TrafficIn({ range, storage }: { range: Range; storage: StorageUsage }) {
  const requests = useUsageSeries('requests', 'status', range);
  const deliveries = useUsageSeries('deliveries', 'outcome', range);
  if (isEmpty(requests) && isEmpty(deliveries)) {
    return (
      <EmptyState
        sentence={`No requests or deliveries in the last ${range.text}. The traffic of your API keys and webhooks appears here.`}
      />
    );
  }
  return (
    <>
      <KeyNumbers range={range} storage={storage} />
      <Charts range={range} />
    </>
  );
}

function isEmpty({ data }: UseQueryResult<Series>): boolean {
  return data !== undefined && !data.points.some(({ count }) => count > 0);
}

function isOutcome(name: string | undefined): name is Outcome {
  return name !== undefined && name in OUTCOME_COLORS;
}

function Charts({ range }: { range: Range }) {
  const [state, change] = useSearchState();
  return (
    <div className={classes.charts}>
      <RequestsChart range={range} />
      <LatencyChart range={range} />
      <DeliveriesChart range={range} />
      {isOutcome(state.deliveries) && (
        <Suspense fallback={null}>
          <DeliveriesPanel
            outcome={state.deliveries}
            range={range}
            onClose={() => {
              change({ deliveries: undefined });
            }}
          />
        </Suspense>
      )}
    </div>
  );
}

/** Outcomes of requests, successful ones at the bottom. */
const STATUS_COLORS = [
  ['2xx', 'good'],
  ['3xx', 'neutral'],
  ['4xx', 'warning'],
  ['429', 'limited'],
  ['5xx', 'bad'],
] as const satisfies readonly (readonly [string, ChartSeries['color']])[];

function RequestsChart({ range }: { range: Range }) {
  const series = useUsageSeries('requests', 'status', range);
  return (
    <WhenThere series={series}>
      {(data) => (
        <Chart
          heading="Requests by status"
          title={`Requests by status, last ${range.text}`}
          kind="bars"
          {...stepsOf(data, range)}
          format={formatCount}
          series={STATUS_COLORS.map(([status, color]) => {
            const values = countsOf(data, status);
            const legend = (
              <AppLink to="/{-$accountId}/requests" search={{ status, since: data.from } as never}>
                {status} {formatCount(sumOf(values))}
              </AppLink>
            );
            return { name: status, color, values, legend };
          })}
        />
      )}
    </WhenThere>
  );
}

function LatencyChart({ range }: { range: Range }) {
  const series = useUsageSeries('latency', undefined, range);
  return (
    <WhenThere series={series}>
      {(data) => {
        const p50 = data.points.map((point) => point.p50 ?? null);
        const p95 = data.points.map((point) => point.p95 ?? null);
        const link = (name: string, values: readonly (number | null)[]) => (
          <AppLink to="/{-$accountId}/requests" search={{ since: data.from } as never}>
            {name} {formatDuration(values.findLast((value) => value !== null) ?? 0)}
          </AppLink>
        );
        return (
          <Chart
            heading="Latency"
            title={`Latency, last ${range.text}`}
            kind="lines"
            {...stepsOf(data, range)}
            format={formatDuration}
            series={[
              { name: 'p50', color: 'neutral', values: p50, legend: link('p50 now', p50) },
              { name: 'p95', color: 'warning', values: p95, legend: link('p95 now', p95) },
            ]}
          />
        );
      }}
    </WhenThere>
  );
}

const OUTCOME_COLORS = {
  succeeded: 'good',
  retried: 'warning',
  failed: 'bad',
} as const satisfies Record<Outcome, ChartSeries['color']>;

function DeliveriesChart({ range }: { range: Range }) {
  const series = useUsageSeries('deliveries', 'outcome', range);
  return (
    <WhenThere series={series}>
      {(data) => (
        <Chart
          heading="Delivery attempts by outcome"
          title={`Delivery attempts by outcome, last ${range.text}`}
          kind="bars"
          {...stepsOf(data, range)}
          format={formatCount}
          series={Object.entries(OUTCOME_COLORS).map(([outcome, color]) => {
            const values = countsOf(data, outcome);
            const legend = (
              <AppLink to="." search={(state: object) => ({ ...state, deliveries: outcome })}>
                {capitalized(outcome)} {formatCount(sumOf(values))}
              </AppLink>
            );
            return { name: capitalized(outcome), color, values, legend };
          })}
        />
      )}
    </WhenThere>
  );
}

function stepsOf({ points }: Series, { step }: Range) {
  return { starts: points.map(({ at }) => at), step };
}

interface WhenThereProps {
  series: UseQueryResult<Series>;
  children: (data: Series) => ReactNode;
}

/** A chart, or its loading or error state. Nothing without data. */
function WhenThere({ series, children }: WhenThereProps) {
  const { data, error } = series;
  if (data) return isEmpty(series) ? null : children(data);
  if (error) return <FailureAlert error={error} onRetry={() => void series.refetch()} />;
  return <LoadingLines rows={4} height={44} />;
}
