import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Database, type Statement } from '../../../platform/database/database.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { LATENCY_BUCKETS, percentile } from '../totals/latency.js';
import type { SeriesValueDto, SeriesPointDto, UsageSeriesDto } from './dto/usage-series.dto.js';
import { sourceOf, type Grouping, type SeriesQueryDto } from './dto/usage-series.dto.js';
import { seriesRange } from './series-range.js';

/** Groups with a name of their own, the largest; the others are one. */
const MAX_GROUPS = 20;
const OTHERS = 'other';

/** Columns that a series can be divided by. */
const GROUP_COLUMNS: Readonly<Record<Grouping, string>> = {
  status: 'outcome',
  outcome: 'outcome',
  route: 'route',
  key: 'source_id::text',
  webhook: 'source_id::text',
};

/** What was counted in a step, of a group. */
interface Counted {
  /** Number of the step since 1970. */
  slot: number;
  group: string;
  count: number;
  latency: number[];
}

const EMPTY: SeriesValueDto = { count: 0, p50: null, p95: null };

/** What was counted over time. */
@Injectable()
export class UsageSeriesService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  /** Throws `bad_request` for a range that cannot be answered. */
  async read(accountId: string, query: SeriesQueryDto): Promise<UsageSeriesDto> {
    const { metric, step, by, keyId, webhookId } = query;
    const { from, to, stepMs } = seriesRange(query, this.clock.now());
    const table = step === 'minute' ? 'usage_minutes' : 'usage_hours';
    const counted = await this.database.read<Counted>(countedStatement(table, by), [
      accountId,
      metric === 'deliveries' ? 'deliveries' : 'requests',
      new Date(from),
      new Date(to),
      stepMs / 1000,
      sourceOf(query),
    ]);
    const groups = by === undefined ? [] : groupsOf(counted);
    const bySlot = inSlots(counted, groups);
    const points = Array.from({ length: (to - from) / stepMs }, (_, index) => {
      const at = from + index * stepMs;
      return pointOf(query, at, bySlot.get(at / stepMs) ?? [], groups);
    });
    return {
      metric,
      step,
      by: by ?? null,
      keyId: keyId ?? null,
      webhookId: webhookId ?? null,
      timeZone: 'UTC',
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      groups: groups.map((group) => shownName(by, group)),
      points,
    };
  }
}

function countedStatement(table: string, by: Grouping | undefined): Statement {
  const group = by === undefined ? `''` : GROUP_COLUMNS[by];
  const latency = Array.from(
    { length: LATENCY_BUCKETS },
    (_, bucket) => `sum(latency[${String(bucket + 1)}])::float8`,
  );
  return {
    name: `usage.series-${table}-${by ?? 'all'}`,
    text: `SELECT floor(extract(epoch FROM at) / $5::integer)::float8 AS slot, ${group} AS "group",
                  sum(count)::float8 AS count, ARRAY[${latency.join(', ')}] AS latency
             FROM ${table}
            WHERE account_id = $1 AND metric = $2 AND at >= $3::timestamptz AND at < $4::timestamptz
              AND ($6::uuid IS NULL OR source_id = $6::uuid)
            GROUP BY 1, 2`,
  };
}

/** The largest groups by name, and the rest as one. */
function groupsOf(counted: readonly Counted[]): string[] {
  const totals = new Map<string, number>();
  for (const { group, count } of counted) totals.set(group, (totals.get(group) ?? 0) + count);
  const largest = [...totals].sort(([, a], [, b]) => b - a).map(([group]) => group);
  const named = largest.slice(0, MAX_GROUPS).sort();
  return largest.length > MAX_GROUPS ? [...named, OTHERS] : named;
}

function inSlots(counted: readonly Counted[], groups: readonly string[]): Map<number, Counted[]> {
  const slots = new Map<number, Counted[]>();
  for (const one of counted) {
    const group = groups.includes(one.group) ? one.group : OTHERS;
    const ofSlot = slots.get(one.slot) ?? [];
    ofSlot.push({ ...one, group });
    slots.set(one.slot, ofSlot);
  }
  return slots;
}

function pointOf(
  { metric, by }: SeriesQueryDto,
  at: number,
  counted: readonly Counted[],
  groups: readonly string[],
): SeriesPointDto {
  const valueOf = metric === 'latency' ? latencyOf : countOf;
  const point = { at: new Date(at).toISOString(), ...valueOf(counted) };
  if (by === undefined) return point;
  const ofGroups = groups.map((group) => [
    shownName(by, group),
    valueOf(counted.filter((one) => one.group === group)),
  ]);
  return { ...point, groups: Object.fromEntries(ofGroups) as Record<string, SeriesValueDto> };
}

function countOf(counted: readonly Counted[]): { count: number } {
  return { count: counted.reduce((sum, { count }) => sum + count, 0) };
}

/** Streams are requests, and have no latency. */
function latencyOf(counted: readonly Counted[]): SeriesValueDto {
  if (counted.length === 0) return EMPTY;
  const buckets = Array.from({ length: LATENCY_BUCKETS }, (_, bucket) =>
    counted.reduce((sum, { latency }) => sum + (latency[bucket] ?? 0), 0),
  );
  const count = buckets.reduce((sum, ofBucket) => sum + ofBucket, 0);
  return { count, p50: percentile(buckets, 0.5), p95: percentile(buckets, 0.95) };
}

function shownName(by: Grouping | undefined, group: string): string {
  if ((by !== 'key' && by !== 'webhook') || group === OTHERS) return group;
  return encodeId(by, group);
}
