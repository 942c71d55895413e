import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, registerDecorator, type ValidationArguments } from 'class-validator';
import { IfSent, IsRequired } from '../../../../platform/http/envelope/field-decorators.js';
import { IsFilterId, IsMoment } from '../../../../platform/http/envelope/filter-decorators.js';
import { decodeId } from '../../../../platform/basics/identifiers/identifiers.js';
import { ApiIdFilter, ApiMoment } from '../../../../platform/openapi/property-decorators.js';
import { STEPS, type Step } from '../series-range.js';

export const METRICS = ['requests', 'latency', 'deliveries'] as const;
export type Metric = (typeof METRICS)[number];

export const GROUPINGS = ['status', 'route', 'key', 'outcome', 'webhook'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** What each can be divided by. */
const GROUPINGS_OF: Readonly<Record<Metric, readonly Grouping[]>> = {
  requests: ['status', 'route', 'key'],
  latency: ['status', 'route', 'key'],
  deliveries: ['outcome', 'webhook'],
};

/** The query of `GET /v1/usage/series`. */
export class SeriesQueryDto {
  @ApiProperty({
    enum: METRICS,
    description:
      '`requests` and `latency` are of requests with keys of the account, `deliveries` of attempts to deliver to its webhooks.',
    example: 'requests',
  })
  @IsIn(METRICS, { message: `must be one of ${METRICS.join(', ')}` })
  @IsRequired()
  metric: Metric;

  @ApiProperty({
    enum: STEPS,
    description:
      'The length of a point. Minutes are kept for 48 hours, hours and days for 400 days.',
    example: 'hour',
  })
  @IsIn(STEPS, { message: `must be one of ${STEPS.join(', ')}` })
  @IsRequired()
  step: Step;

  @ApiMoment(
    'The first point is the one that holds this time. Otherwise 60 minutes, 24 hours or 30 days before `to`',
  )
  @IfSent()
  @IsMoment()
  from?: string;

  @ApiMoment('The last point ends at this time or holds it. Otherwise now')
  @IfSent()
  @IsMoment()
  to?: string;

  @ApiPropertyOptional({
    enum: GROUPINGS,
    description:
      'Divides each point: requests and latency by `status` (its class, 429 apart from the rest of 4xx), `route` or `key`; deliveries by `outcome` or `webhook`. The 20 largest groups have a name, the rest is `other`.',
    example: 'status',
  })
  @IfSent()
  @FitsMetric()
  by?: Grouping;

  @ApiIdFilter('key', 'Only requests with this key.')
  @IfSent()
  @IsFilterId('key')
  @IsOfMetric(['requests', 'latency'])
  keyId?: string;

  @ApiIdFilter('webhook', 'Only deliveries to this webhook.')
  @IfSent()
  @IsFilterId('webhook')
  @IsOfMetric(['deliveries'])
  webhookId?: string;
}

/** The UUID of the key or the webhook that counts alone, if any. */
export function sourceOf({ keyId, webhookId }: SeriesQueryDto): string | null {
  if (keyId !== undefined) return decodeId('key', keyId) ?? null;
  return webhookId === undefined ? null : (decodeId('webhook', webhookId) ?? null);
}

function FitsMetric(): PropertyDecorator {
  const known = (validation?: ValidationArguments) => {
    const { metric } = validation?.object as SeriesQueryDto;
    return METRICS.includes(metric) ? GROUPINGS_OF[metric] : GROUPINGS;
  };
  return dependsOnMetric(
    'fitsMetric',
    (by, validation) => known(validation).some((one) => one === by),
    (validation) => `must be one of ${known(validation).join(', ')} for this metric`,
  );
}

function IsOfMetric(metrics: readonly Metric[]): PropertyDecorator {
  return dependsOnMetric(
    'isOfMetric',
    (_, validation) => metrics.includes((validation?.object as SeriesQueryDto).metric),
    () => `is only for metric=${metrics.join(' and metric=')}`,
  );
}

function dependsOnMetric(
  name: string,
  validate: (value: unknown, validation?: ValidationArguments) => boolean,
  defaultMessage: (validation?: ValidationArguments) => string,
): PropertyDecorator {
  return (target, property) => {
    registerDecorator({
      name,
      target: target.constructor,
      propertyName: property as string,
      validator: { validate, defaultMessage },
    });
  };
}
