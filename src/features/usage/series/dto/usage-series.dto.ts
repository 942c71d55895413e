import { textSchema } from '../../../../platform/openapi/schemas.js';
import { Field, type Check } from '../../../../platform/openapi/field.js';
import { LATENCY_BOUNDS_MS } from '../../totals/latency.js';
import { MAX_POINTS, STEPS, type Step } from '../series-range.js';
import { Filter } from '../../../../platform/openapi/filter.js';
import { decodeId } from '../../../../platform/basics/identifiers/identifiers.js';

const METRICS = ['requests', 'latency', 'deliveries'] as const;
type Metric = (typeof METRICS)[number];

const GROUPINGS = ['status', 'route', 'key', 'outcome', 'webhook'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** The groupings of each metric. */
const GROUPINGS_OF: Readonly<Record<Metric, readonly Grouping[]>> = {
  requests: ['status', 'route', 'key'],
  latency: ['status', 'route', 'key'],
  deliveries: ['outcome', 'webhook'],
};

const latency = (description: string, example: number) =>
  Field.number({
    optional: true,
    nullable: true,
    max: LATENCY_BOUNDS_MS.at(-1) ?? 0,
    description,
    example,
  });

/** A count, with percentiles for latency. */
export class SeriesValueDto {
  @Field.integer({
    max: Number.MAX_SAFE_INTEGER,
    description: 'The number of requests or attempts.',
    example: 12,
  })
  count: number;

  @latency(
    `Only for \`latency\`: the median duration in milliseconds, interpolated between the bounds ${LATENCY_BOUNDS_MS.join(', ')}. Null without requests.`,
    4.2,
  )
  p50?: number | null;

  @latency('The 95th percentile, like `p50`.', 18.5)
  p95?: number | null;
}

/** A data point: a minute, an hour or a day. */
export class SeriesPointDto extends SeriesValueDto {
  @Field.time({ description: 'The start of the point, in UTC.' }) at: string;

  @Field.object(
    { additionalProperties: { $ref: '#/components/schemas/SeriesValueDto' } },
    {
      optional: true,
      description: 'With `by`: the values of each group.',
      example: { '2xx': { count: 11 }, '4xx': { count: 1 } },
    },
  )
  groups?: Record<string, SeriesValueDto>;
}

/** Counts over time. */
export class UsageSeriesDto {
  @Field.oneOf(METRICS, { example: 'requests' }) metric: Metric;
  @Field.oneOf(STEPS, { example: 'hour' }) step: Step;
  @Field.oneOf(GROUPINGS, { nullable: true, example: 'status' }) by: Grouping | null;
  @Field.id('key', { nullable: true, example: null }) keyId: string | null;
  @Field.id('webhook', { nullable: true, example: null }) webhookId: string | null;

  @Field.constant('UTC', { description: 'The time zone of the points.' })
  timeZone: 'UTC';

  @Field.time({ description: 'The start of the first point.' }) from: string;
  @Field.time({ description: 'The end of the last point, which may be in the future.' }) to: string;

  @Field.list(textSchema(250), {
    max: 21,
    description: 'With `by`: the names of all groups, in order.',
    example: ['2xx', '4xx'],
  })
  groups: string[];

  @Field.list(SeriesPointDto, {
    max: MAX_POINTS,
    description: 'One point for each step, without gaps, oldest first.',
  })
  points: SeriesPointDto[];
}

/** The query of `GET /v1/usage/series`. */
export class SeriesQueryDto {
  @Field.oneOf(METRICS, {
    description:
      '`requests` and `latency` cover requests with API keys of the account; `deliveries` covers delivery attempts to its webhooks.',
    example: 'requests',
  })
  metric: Metric;

  @Field.oneOf(STEPS, {
    description:
      'The length of a point. Minutes are stored for 48 hours, hours and days for 400 days.',
    example: 'hour',
  })
  step: Step;

  @Filter.time(
    'The first point contains this time. Default: 60 minutes, 24 hours or 30 days before `to`. Format',
  )
  from?: string;

  @Filter.time('The last point ends at this time or contains it. Default: now. Format') to?: string;

  @Field.oneOf(GROUPINGS, {
    optional: true,
    description:
      'Groups each point: requests and latency by `status` (class; 429 is separate from the rest of 4xx), `route` or `key`; deliveries by `outcome` or `webhook`. The 20 largest groups are named, the rest is `other`.',
    example: 'status',
    check: fitsMetric,
  })
  by?: Grouping;

  @Filter.id('key', 'Counts only requests with this key.', isOfMetric(['requests', 'latency']))
  keyId?: string;

  @Filter.id('webhook', 'Counts only deliveries to this webhook.', isOfMetric(['deliveries']))
  webhookId?: string;
}

/** Returns the UUID of the key or webhook in the filter. */
export function sourceOf({ keyId, webhookId }: SeriesQueryDto): string | null {
  if (keyId !== undefined) return decodeId('key', keyId) ?? null;
  return webhookId === undefined ? null : (decodeId('webhook', webhookId) ?? null);
}

function fitsMetric(by: unknown, dto: object): string | undefined {
  const { metric } = dto as SeriesQueryDto;
  const known: readonly unknown[] = METRICS.includes(metric) ? GROUPINGS_OF[metric] : GROUPINGS;
  return known.includes(by) ? undefined : `must be one of ${known.join(', ')} for this metric`;
}

function isOfMetric(metrics: readonly Metric[]): Check {
  return (_, dto) =>
    metrics.includes((dto as SeriesQueryDto).metric)
      ? undefined
      : `is only for metric=${metrics.join(' and metric=')}`;
}
