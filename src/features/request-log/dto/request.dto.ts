import { Field } from '../../../platform/openapi/field.js';
import { MAX_USER_AGENT } from '../../../platform/network/user-agent.js';
import { ERROR_CODES, type ErrorCode } from '../../../platform/basics/errors/app-error.js';
import { MAX_PATH } from '../recording/logged-request.js';
import { Filter } from '../../../platform/openapi/filter.js';
import { isIP } from 'node:net';
import { Transform } from 'class-transformer';
import { CreationOrderDto } from '../../../platform/http/pagination/page-query.dto.js';

/** The error in a response. */
export class RequestErrorDto {
  @Field.oneOf(ERROR_CODES, { example: 'INVALID_REQUEST' }) code: ErrorCode;
  @Field.text({ max: 2_000, example: 'title: required field missing' }) message: string;

  @Field.object(
    { additionalProperties: true },
    {
      optional: true,
      description:
        'Details for programs. Contains at most ten problems. Absent if it was too long.',
      example: { field: 'title', issue: 'required field missing' },
    },
  )
  details?: Record<string, unknown>;
}

/** Where requests come from. */
const SOURCES = ['api', 'dashboard'] as const;
type RequestSource = (typeof SOURCES)[number];

/** A request with an API key or a failed one from the dashboard, without the request and response bodies. */
export class RequestDto {
  @Field.id('request', {
    description: 'As in the header `X-Request-Id` and in `meta.requestId`.',
  })
  id: string;

  @Field.oneOf(SOURCES, { example: 'api' }) source: RequestSource;
  @Field.id('key', { nullable: true, description: 'Null for the dashboard.' }) keyId: string | null;

  @Field.id('user', { description: 'The creator of the key, or the user of the dashboard.' })
  userId: string;
  @Field.text({ max: 20, example: 'POST' }) method: string;

  @Field.text({
    max: 200,
    description: 'The route, as in this document, or `unknown` if no route matches.',
    example: '/v1/documents',
  })
  route: string;

  @Field.text({
    max: MAX_PATH,
    description: `The path with its query as sent, at most ${MAX_PATH.toLocaleString('en')} characters. Values of parameters that hold secrets, such as \`api_key\`, are \`REDACTED\`.`,
    example: '/v1/documents?dryRun=true',
  })
  path: string;

  @Field.integer({
    min: 100,
    max: 599,
    description: 'The status of the response; 499 if the client disconnected before the response.',
    example: 400,
  })
  status: number;

  @Field.number({
    max: 4_294_967_295,
    description: 'Milliseconds from the request to the end of the response.',
    example: 3.42,
  })
  durationMs: number;

  @Field.text({
    max: 64,
    nullable: true,
    description:
      'The IP address of the client. Null if the proxy in front sends no valid address, and for other people in the dashboard unless you have `audit:read`.',
    example: '192.0.2.7',
  })
  clientAddress: string | null;

  @Field.text({
    max: MAX_USER_AGENT,
    nullable: true,
    description: `The first ${String(MAX_USER_AGENT)} characters of the header \`User-Agent\`.`,
    example: 'curl/8.5.0',
  })
  userAgent: string | null;

  @Field.text({
    max: 100,
    nullable: true,
    description: 'The `label` of the browser token. Null without one.',
    example: null,
  })
  tokenLabel: string | null;

  @Field.object(RequestErrorDto, { nullable: true, description: 'Null if the request succeeded.' })
  error: RequestErrorDto | null;

  @Field.time({ description: 'When the request arrived.' }) createdAt: string;
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** A status class or a status code. */
const STATUS = /^(?:[1-5]xx|[1-5]\d\d)$/;
const MAX_STATUSES = 20;
const MAX_ROUTE = 200;

/** Parses `2xx,429` and `status=2xx&status=429` to the same list. */
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
    : 'must be 2xx, 3xx, 4xx, 5xx or a code such as 429; separate several with commas';
}

function routeProblem(route: unknown): string | undefined {
  if (typeof route !== 'string') return 'must be given once';
  return route.startsWith('/') && route.length <= MAX_ROUTE && !route.includes('\0')
    ? undefined
    : 'must be a route, such as /v1/documents/{id}, or a path without IDs';
}

function addressProblem(address: unknown): string | undefined {
  return typeof address === 'string' && isIP(address) !== 0
    ? undefined
    : 'must be an IP address, such as 192.0.2.7, given once';
}

/** The query of `GET /v1/requests`. */
export class ListRequestsDto extends CreationOrderDto {
  @toStatuses
  @Field.list(
    { type: 'string', maxLength: 100, pattern: '^[1-5](xx|\\d\\d)(,[1-5](xx|\\d\\d))*$' },
    {
      optional: true,
      max: MAX_STATUSES,
      description:
        'Only requests with this response status: a class (`4xx` includes 429) or a code. Several values, repeated or separated by commas, match any of them.',
      example: ['4xx', '5xx'],
      check: statusesProblem,
    },
  )
  status?: string[];

  @toUpperCase
  @Field.oneOf(METHODS, {
    optional: true,
    description: 'Only requests with this method.',
    example: 'POST',
  })
  method?: (typeof METHODS)[number];

  @Field.text({
    optional: true,
    max: MAX_ROUTE,
    pattern: '^/',
    description:
      'Only requests of this route, written as in this document. `unknown` is not a route.',
    example: '/v1/documents/{id}',
    check: routeProblem,
  })
  route?: string;

  @Filter.id('key', 'Only requests with this key.') keyId?: string;

  @Field.oneOf(SOURCES, {
    optional: true,
    description: 'Only requests with keys, or only those from the dashboard.',
    example: 'dashboard',
  })
  source?: RequestSource;

  @Field.text({
    optional: true,
    max: 45,
    description: 'Only requests from this IP address.',
    example: '192.0.2.7',
    check: addressProblem,
  })
  address?: string;

  @Filter.id('request', 'Only the request with this ID, from the header `X-Request-Id`.')
  requestId?: string;

  @Filter.time('Only requests that arrived at this time or later') since?: string;
  @Filter.time('Only requests that arrived before this time') until?: string;
}
