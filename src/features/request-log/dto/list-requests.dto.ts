import { isIP } from 'node:net';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IfSent } from '../../../platform/http/envelope/field-decorators.js';
import {
  IsFilter,
  IsFilterId,
  IsMoment,
} from '../../../platform/http/envelope/filter-decorators.js';
import {
  ApiIdFilter,
  ApiMoment,
  KEPT_TEXT,
} from '../../../platform/openapi/property-decorators.js';
import { CreationOrderDto } from '../../../platform/http/pagination/sort.js';

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** A class or a code of HTTP. */
const STATUS = /^(?:[1-5]xx|[1-5]\d\d)$/;
const MAX_STATUSES = 20;
const MAX_ROUTE = 200;

/** `2xx,429` and `status=2xx&status=429` are the same. */
const toStatuses = Transform(({ value }: { value: unknown }) =>
  (Array.isArray(value) ? (value as unknown[]) : [value]).flatMap((one) =>
    typeof one === 'string' ? one.split(',').map((name) => name.trim().toLowerCase()) : [one],
  ),
);

const toUpperCase = Transform(({ value }: { value: unknown }) =>
  typeof value === 'string' ? value.toUpperCase() : value,
);

function statusesProblem(statuses: unknown): string | undefined {
  if (!Array.isArray(statuses) || statuses.length > MAX_STATUSES) {
    return `must not have more than ${String(MAX_STATUSES)} values`;
  }
  return statuses.every((status) => typeof status === 'string' && STATUS.test(status))
    ? undefined
    : 'must be 2xx, 3xx, 4xx, 5xx or a code such as 429; put commas between several';
}

function methodProblem(method: unknown): string | undefined {
  return METHODS.some((known) => known === method)
    ? undefined
    : `must be one of ${METHODS.join(', ')}`;
}

function routeProblem(route: unknown): string | undefined {
  if (typeof route !== 'string') return 'must be given once';
  return route.startsWith('/') && route.length <= MAX_ROUTE && !route.includes('\0')
    ? undefined
    : 'must be the pattern of a route, such as /v1/documents/{id}, or its path without ids';
}

function addressProblem(address: unknown): string | undefined {
  return typeof address === 'string' && isIP(address) !== 0
    ? undefined
    : 'must be an IP address, such as 192.0.2.7, given once';
}

/** The query of `GET /v1/requests`. */
export class ListRequestsDto extends CreationOrderDto {
  @ApiPropertyOptional({
    type: 'array',
    maxItems: MAX_STATUSES,
    items: { type: 'string', maxLength: 100, pattern: '^[1-5](xx|\\d\\d)(,[1-5](xx|\\d\\d))*$' },
    description:
      'Only those answered so: a class (`4xx`, which includes 429) or an exact code. Several by repeating it, or with commas between; any of them.',
    example: ['4xx', '5xx'],
  })
  @toStatuses
  @IfSent()
  @IsFilter(statusesProblem)
  status?: string[];

  @ApiPropertyOptional({
    enum: METHODS,
    description: 'Only those of this method.',
    example: 'POST',
  })
  @toUpperCase
  @IfSent()
  @IsFilter(methodProblem)
  method?: (typeof METHODS)[number];

  @ApiPropertyOptional({
    type: String,
    maxLength: MAX_ROUTE,
    pattern: '^/',
    description:
      'Only those of this route, as this document writes its path; `unknown` paths have none.',
    example: '/v1/documents/{id}',
  })
  @IfSent()
  @IsFilter(routeProblem)
  route?: string;

  @ApiIdFilter('key', 'Only those with this key.')
  @IfSent()
  @IsFilterId('key')
  keyId?: string;

  @ApiPropertyOptional({
    type: String,
    maxLength: 45,
    pattern: KEPT_TEXT,
    description: 'Only those from this IP address.',
    example: '192.0.2.7',
  })
  @IfSent()
  @IsFilter(addressProblem)
  address?: string;

  @ApiIdFilter('request', 'Only the request with this id, as the header `X-Request-Id` told it.')
  @IfSent()
  @IsFilterId('request')
  requestId?: string;

  @ApiMoment('Only those that came at this time or later')
  @IfSent()
  @IsMoment()
  since?: string;

  @ApiMoment('Only those that came before this time')
  @IfSent()
  @IsMoment()
  until?: string;
}
