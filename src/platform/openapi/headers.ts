import type { HeaderObject, HeadersObject, ParameterObject } from '@nestjs/swagger';
import { MAX_INT32, sampleId } from './schemas.js';

const integer = { type: 'integer', format: 'int32', minimum: 0, maximum: MAX_INT32 };
const text = (maxLength: number, pattern = '^[\\x20-\\x7e]*$') => ({
  type: 'string',
  maxLength,
  pattern,
});

/** Every response header that clients can rely on. */
export const HEADERS = {
  'X-Request-Id': {
    description: 'ID of this request, as in `meta.requestId`. Include it when you contact support.',
    schema: text(30, '^req_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
    example: sampleId('request'),
  },
  'X-RateLimit-Limit': {
    description:
      'Requests allowed in the window with the fewest requests left; 2147483647 is unlimited. Present if the key is valid.',
    schema: integer,
    example: 60,
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in that window.',
    schema: integer,
    example: 59,
  },
  'X-RateLimit-Reset': {
    description: 'When that window resets, as a Unix timestamp in seconds.',
    schema: { ...integer, format: 'int64', maximum: 9_999_999_999 },
    example: 1_795_161_660,
  },
  RateLimit: {
    description:
      'Requests left in each limited window (`r`) and seconds until it resets (`t`), as in draft-ietf-httpapi-ratelimit-headers.',
    schema: text(200),
    example: '"minute";r=59;t=60, "hour";r=999;t=3600, "day";r=9999;t=86400',
  },
  'RateLimit-Policy': {
    description: 'Requests that each limited window allows (`q`) and its length in seconds (`w`).',
    schema: text(200),
    example: '"minute";q=60;w=60, "hour";q=1000;w=3600, "day";q=10000;w=86400',
  },
  'Access-Control-Allow-Origin': {
    description: 'Present for browser tokens, and for origins that the operator allows with `CORS_ORIGINS`.',
    schema: text(300),
    example: 'https://app.example.com',
  },
  'Retry-After': {
    description: 'Seconds to wait before you retry.',
    schema: { ...integer, minimum: 1 },
    example: 42,
  },
  'WWW-Authenticate': {
    description: 'How to authenticate (RFC 9110, 11.6.1).',
    schema: text(100),
    example: 'Bearer realm="document-service"',
  },
  'Accept-Patch': {
    description:
      'Patch formats that the resource accepts (RFC 5789). Present in a 415 response to a PATCH.',
    schema: text(100),
    example: 'application/merge-patch+json, application/json',
  },
  Location: {
    description: 'Path of the new resource. With 202, path of the job that creates it.',
    schema: { ...text(100), format: 'uri-reference' },
    example: `/v1/documents/${sampleId('document')}`,
  },
  'Idempotency-Replayed': {
    description:
      '`true` if this is the stored response to an earlier request. The request was not run again.',
    schema: text(4, '^true$'),
    example: 'true',
  },
  ETag: {
    description:
      'Entity tag of this version. Send it as `If-None-Match` to read the resource only if it has changed.',
    schema: text(100, '^(W/)?"[^"]*"$'),
    example: '"1"',
  },
  'Content-Disposition': {
    description: 'Name of the file (RFC 6266, RFC 8187).',
    schema: text(1000),
    example: `attachment; filename="Quarterly report.pdf"`,
  },
} satisfies Record<string, HeaderObject>;

/** The `If-Match` header of requests that change a versioned resource. */
export const IF_MATCH = {
  name: 'If-Match',
  required: false,
  description:
    'The `ETag` of the version that you want to change, including the quotes. If the current version differs, the response is 412. Separate several tags with commas; `*` matches any version. A weak tag (`W/`) never matches.',
  schema: text(1000),
  example: '"3"',
};

/** The `If-None-Match` header of the same requests. */
export const IF_NONE_MATCH = {
  name: 'If-None-Match',
  required: false,
  description:
    'Versions to exclude: with `*` or the current `ETag`, nothing changes and the response is 412.',
  schema: text(1000),
  example: '*',
};

/** The `Idempotency-Key` header of every POST. */
export const IDEMPOTENCY_KEY: ParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A unique value, such as a UUID. Retrying with the same API key, value and body within 24 hours returns the first response and has no other effect. A request refused with 400 leaves the value free. In a replay, secrets are null, with a warning.',
  schema: text(255),
  example: '5b1f4d0e-7c1c-4f4e-9d3c-0b6a3f0c9a51',
};

export type HeaderName = keyof typeof HEADERS;

/** Headers of every response. */
export const EVERYWHERE = ['X-Request-Id', 'Access-Control-Allow-Origin'] as const;

/** Headers of every response to a request with a valid key. */
export const COUNTED = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
] as const;

/**
 * The headers that are documented in each response to a request with a valid key. The others are documented once, in
 * `components` and in the introduction. Repeated everywhere, they would make up a seventh of the document.
 */
export const OF_COUNTED = ['RateLimit'] as const;

/** Response headers that scripts of other origins can read (CORS). */
export const EXPOSED_HEADERS: readonly HeaderName[] = [
  'Content-Disposition',
  'ETag',
  'Idempotency-Replayed',
  'Location',
  'Retry-After',
  'X-Request-Id',
  ...COUNTED,
];

/** Returns the headers of a response as references to `components.headers`. */
export function headers(...names: readonly HeaderName[]): HeadersObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
