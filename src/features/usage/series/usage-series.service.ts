import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { LATENCY_BUCKETS, percentile } from '../totals/latency.js';
import { UsageTotalsRepository, type SeriesTotal } from '../totals/usage-totals.repository.js';
import {
  type SeriesValueDto,
  type SeriesPointDto,
  type UsageSeriesDto,
  sourceOf,
  type Grouping,
  type SeriesQueryDto,
} from './dto/usage-series.dto.js';
import { seriesRange } from './series-range.js';

/** Maximum number of named groups. {@link OTHERS} combines the rest. */
const MAX_GROUPS = 20;
const OTHERS = 'other';

const EMPTY: SeriesValueDto = { count: 0, p50: null, p95: null };

@Injectable()
export class UsageSeriesService {
  constructor(
    private readonly totals: UsageTotalsRepository,
    private readonly clock: Clock,
  ) {}

  /** Throws `bad_request` for an invalid range. */
  async read(accountId: string, query: SeriesQueryDto): Promise<UsageSeriesDto> {
    const { metric, step, by, keyId, webhookId } = query;
    const { from, to, stepMs } = seriesRange(query, this.clock.now());
    const counted = await this.totals.readSeries({
      accountId,
      metric: metric === 'deliveries' ? 'deliveries' : 'requests',
      ...{ from, to, stepMs, by },
      sourceId: sourceOf(query),
    });
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

/** Returns the names of the largest groups in order, and {@link OTHERS} if there are more. */
function groupsOf(counted: readonly SeriesTotal[]): string[] {
  const totals = new Map<string, number>();
  for (const { group, count } of counted) totals.set(group, (totals.get(group) ?? 0) + count);
  const largest = [...totals].sort(([, a], [, b]) => b - a).map(([group]) => group);
  const named = largest.slice(0, MAX_GROUPS).sort();
  return largest.length > MAX_GROUPS ? [...named, OTHERS] : named;
}

function inSlots(
  counted: readonly SeriesTotal[],
  groups: readonly string[],
): Map<number, SeriesTotal[]> {
  const slots = new Map<number, SeriesTotal[]>();
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
  counted: readonly SeriesTotal[],
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

function countOf(counted: readonly SeriesTotal[]): { count: number } {
  return { count: counted.reduce((sum, { count }) => sum + count, 0) };
}

/** `count` excludes streams, which have no latency. */
function latencyOf(counted: readonly SeriesTotal[]): SeriesValueDto {
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
