import { textSchema } from '../../../../platform/openapi/schemas.js';
import { Field } from '../../../../platform/openapi/field.js';
import { LATENCY_BOUNDS_MS } from '../../totals/latency.js';
import { MAX_POINTS, STEPS, type Step } from '../series-range.js';
import { GROUPINGS, METRICS, type Grouping, type Metric } from './series-query.dto.js';

const latency = (share: string, example: number) =>
  Field.number({
    optional: true,
    nullable: true,
    max: LATENCY_BOUNDS_MS.at(-1) ?? 0,
    description: `Of \`latency\` only: milliseconds that ${share} took at most, interpolated between the bounds ${LATENCY_BOUNDS_MS.join(', ')}. Null where there was no request.`,
    example,
  });

/** What was counted, and of latency how it was spread. */
export class SeriesValueDto {
  @Field.integer({
    max: Number.MAX_SAFE_INTEGER,
    description: 'How many; 0 where there was none.',
    example: 12,
  })
  count: number;

  @latency('half of the requests', 4.2)
  p50?: number | null;

  @latency('95 of 100 requests', 18.5)
  p95?: number | null;
}

/** A minute, an hour or a day. */
export class SeriesPointDto extends SeriesValueDto {
  @Field.time({ description: 'When it began, in UTC.' }) at: string;

  @Field.object(
    { additionalProperties: { $ref: '#/components/schemas/SeriesValueDto' } },
    {
      optional: true,
      description: 'With `by`: the same of each group.',
      example: { '2xx': { count: 11 }, '4xx': { count: 1 } },
    },
  )
  groups?: Record<string, SeriesValueDto>;
}

/** What was counted over time. */
export class UsageSeriesDto {
  @Field.oneOf(METRICS, { example: 'requests' }) metric: Metric;
  @Field.oneOf(STEPS, { example: 'hour' }) step: Step;
  @Field.oneOf(GROUPINGS, { nullable: true, example: 'status' }) by: Grouping | null;
  @Field.id('key', { nullable: true, example: null }) keyId: string | null;
  @Field.id('webhook', { nullable: true, example: null }) webhookId: string | null;

  @Field.constant('UTC', { description: 'In which minutes, hours and days begin.' })
  timeZone: 'UTC';

  @Field.time({ description: 'When the first point began.' }) from: string;
  @Field.time({ description: 'When the last point ends, or will end.' }) to: string;

  @Field.list(textSchema(250), {
    max: 21,
    description: 'With `by`: the names of all groups, in order.',
    example: ['2xx', '4xx'],
  })
  groups: string[];

  @Field.list(SeriesPointDto, {
    max: MAX_POINTS,
    description: 'One for each step, without gaps, the oldest first.',
  })
  points: SeriesPointDto[];
}
