import type { ReactNode } from 'react';
import type { components } from '../../api/v1-schema.js';
import { AppLink } from '../../components/app-link.js';
import { countOf, formatBytes, formatCount, formatDuration } from '../../components/numbers.js';
import classes from './overview.module.css';
import { countsOf, sumOf, useUsageSeries } from './usage-series.js';
import type { rangeNamed } from './time-ranges.js';

export type StorageUsage = components['schemas']['QuotaUsage'] | undefined;

type Range = ReturnType<typeof rangeNamed>;

interface KeyNumbersProps {
  range: Range;
  storage: StorageUsage;
}

/** The four main numbers of the account: requests, p95, delivery success and storage. */
export function KeyNumbers({ range, storage }: KeyNumbersProps) {
  return (
    <dl className={classes.numbers}>
      <Requests range={range} />
      <Latency range={range} />
      <DeliverySuccess range={range} />
      <Storage storage={storage} />
    </dl>
  );
}

function Requests({ range }: { range: Range }) {
  const { data } = useUsageSeries('requests', 'status', range);
  if (!data) return <KeyNumber name="Requests" />;
  const total = sumOf(data.points.map(({ count }) => count));
  const failed = sumOf(countsOf(data, '5xx'));
  return (
    <KeyNumber name="Requests" note={failed === 0 ? 'No 5xx' : `${formatCount(failed)} with 5xx`}>
      <AppLink to="/{-$accountId}/requests" search={{ since: data.from } as never}>
        {formatCount(total)}
      </AppLink>
    </KeyNumber>
  );
}

function Latency({ range }: { range: Range }) {
  const { data } = useUsageSeries('latency', undefined, range);
  const newest = data?.points.findLast(({ p95 }) => typeof p95 === 'number')?.p95;
  return (
    <KeyNumber
      name="p95 latency"
      note={range.step === 'hour' ? 'In the latest hour' : 'On the latest day'}
    >
      {data && (typeof newest === 'number' ? formatDuration(newest) : '–')}
    </KeyNumber>
  );
}

function DeliverySuccess({ range }: { range: Range }) {
  const { data } = useUsageSeries('deliveries', 'outcome', range);
  if (!data) return <KeyNumber name="Delivery success" />;
  const attempts = sumOf(data.points.map(({ count }) => count));
  const succeeded = sumOf(countsOf(data, 'succeeded'));
  return (
    <KeyNumber name="Delivery success" note={`of ${countOf(attempts, 'attempt')}`}>
      {attempts === 0 ? (
        '–'
      ) : (
        <AppLink to="/{-$accountId}/webhooks">
          {`${String(Math.floor((100 * succeeded) / attempts))}%`}
        </AppLink>
      )}
    </KeyNumber>
  );
}

function Storage({ storage }: { storage: StorageUsage }) {
  if (!storage) return <KeyNumber name="Storage" />;
  const { used, limit } = storage;
  return (
    <KeyNumber
      name="Storage"
      note={limit === null ? 'No limit' : `of ${formatBytes(limit)} allowed`}
    >
      {formatBytes(used)}
    </KeyNumber>
  );
}

interface KeyNumberProps {
  name: string;
  /** Undefined while it loads. */
  children?: ReactNode;
  note?: string;
}

function KeyNumber({ name, children = '…', note = '\u00a0' }: KeyNumberProps) {
  return (
    <div className={classes.number}>
      <dt>{name}</dt>
      <dd className={classes.value}>{children}</dd>
      <dd className={classes.note}>{note}</dd>
    </div>
  );
}
