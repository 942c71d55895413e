import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ApiId,
  ApiTimestamp,
  KEPT_TEXT,
} from '../../../../platform/openapi/property-decorators.js';
import { LATENCY_BOUNDS_MS } from '../../totals/latency.js';
import { MAX_POINTS, STEPS, type Step } from '../series-range.js';
import { GROUPINGS, METRICS, type Grouping, type Metric } from './series-query.dto.js';

const ApiCounted = () =>
  ApiProperty({
    type: 'integer',
    format: 'int64',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'How many; 0 where there was none.',
    example: 12,
  });

const ApiMilliseconds = (share: string, example: number) =>
  ApiPropertyOptional({
    type: 'number',
    format: 'double',
    nullable: true,
    minimum: 0,
    maximum: LATENCY_BOUNDS_MS.at(-1) ?? 0,
    description: `Of \`latency\` only: milliseconds that ${share} took at most, interpolated between the bounds ${LATENCY_BOUNDS_MS.join(', ')}. Null where there was no request.`,
    example,
  });

/** What was counted, and of latency how it was spread. */
export class SeriesValueDto {
  @ApiCounted()
  count: number;

  @ApiMilliseconds('half of the requests', 4.2)
  p50?: number | null;

  @ApiMilliseconds('95 of 100 requests', 18.5)
  p95?: number | null;
}

/** A minute, an hour or a day. */
export class SeriesPointDto extends SeriesValueDto {
  @ApiTimestamp({ description: 'When it began, in UTC.' })
  at: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { $ref: '#/components/schemas/SeriesValueDto' },
    description: 'With `by`: the same of each group.',
    example: { '2xx': { count: 11 }, '4xx': { count: 1 } },
  })
  groups?: Record<string, SeriesValueDto>;
}

/** What was counted over time. */
export class UsageSeriesDto {
  @ApiProperty({ enum: METRICS, example: 'requests' })
  metric: Metric;

  @ApiProperty({ enum: STEPS, example: 'hour' })
  step: Step;

  @ApiProperty({ enum: [...GROUPINGS, null], type: String, nullable: true, example: 'status' })
  by: Grouping | null;

  @ApiId('key', { nullable: true, example: null })
  keyId: string | null;

  @ApiId('webhook', { nullable: true, example: null })
  webhookId: string | null;

  @ApiProperty({
    enum: ['UTC'],
    description: 'In which minutes, hours and days begin.',
    example: 'UTC',
  })
  timeZone: 'UTC';

  @ApiTimestamp({ description: 'When the first point began.' })
  from: string;

  @ApiTimestamp({ description: 'When the last point ends, or will end.' })
  to: string;

  @ApiProperty({
    type: 'array',
    maxItems: 21,
    items: { type: 'string', maxLength: 250, pattern: KEPT_TEXT },
    description: 'With `by`: the names of all groups, in order.',
    example: ['2xx', '4xx'],
  })
  groups: string[];

  @ApiProperty({
    type: SeriesPointDto,
    isArray: true,
    maxItems: MAX_POINTS,
    description: 'One for each step, without gaps, the oldest first.',
  })
  points: SeriesPointDto[];
}
