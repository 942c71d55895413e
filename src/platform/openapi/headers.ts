import type { HeaderObject, HeadersObject, ParameterObject } from '@nestjs/swagger';
import { sampleId } from './schemas.js';

const integer = { type: 'integer', format: 'int32', minimum: 0, maximum: 2_147_483_647 };
const text = (maxLength: number, pattern = '^[\\x20-\\x7e]*$') => ({
  type: 'string',
  maxLength,
  pattern,
});

/** Every header of an answer that clients may rely on. */
export const HEADERS = {
  'X-Request-Id': {
    description: 'The id of this request, as in `meta.requestId`. Tell it when you ask for help.',
    schema: text(30, '^req_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
    example: sampleId('request'),
  },
  'X-RateLimit-Limit': {
    description:
      'Requests the plan allows in the window with the fewest left; 2147483647 is unlimited. On every answer to a request with a valid key.',
    schema: integer,
    example: 60,
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in that window.',
    schema: integer,
    example: 59,
  },
  'X-RateLimit-Reset': {
    description: 'When that window starts anew, in seconds since 1970 (UTC).',
    schema: { ...integer, format: 'int64', maximum: 9_999_999_999 },
    example: 1_795_161_660,
  },
  RateLimit: {
    description:
      'What is left in each limited window (`r`) and the seconds until it starts anew (`t`), as in draft-ietf-httpapi-ratelimit-headers.',
    schema: text(200),
    example: '"minute";r=59;t=60, "hour";r=999;t=3600, "day";r=9999;t=86400',
  },
  'RateLimit-Policy': {
    description: 'The requests (`q`) each limited window allows, and its length in seconds (`w`).',
    schema: text(200),
    example: '"minute";q=60;w=60, "hour";q=1000;w=3600, "day";q=10000;w=86400',
  },
  'Access-Control-Allow-Origin': {
    description: 'Only for the origins that the operator lets in by `CORS_ORIGINS`.',
    schema: text(300),
    example: 'https://app.example.com',
  },
  'Retry-After': {
    description: 'Seconds after which trying again makes sense.',
    schema: { ...integer, minimum: 1 },
    example: 42,
  },
  'WWW-Authenticate': {
    description: 'How to authenticate (RFC 9110, 11.6.1).',
    schema: text(100),
    example: 'Bearer realm="document-service"',
  },
  'Accept-Patch': {
    description: 'With 415 of a PATCH: the types of patches that are taken (RFC 5789).',
    schema: text(100),
    example: 'application/merge-patch+json, application/json',
  },
  Location: {
    description: 'Path of the new resource; with 202, of the job that makes it.',
    schema: { ...text(100), format: 'uri-reference' },
    example: `/v1/documents/${sampleId('document')}`,
  },
  'Idempotency-Replayed': {
    description: '`true` on the answer to a retry: nothing was done again.',
    schema: text(4, '^true$'),
    example: 'true',
  },
  ETag: {
    description: 'Entity tag of this state. Send it as `If-None-Match` to read only what changed.',
    schema: text(100, '^(W/)?"[^"]*"$'),
    example: '"1"',
  },
  'Content-Disposition': {
    description: 'The name of the file (RFC 6266, RFC 8187).',
    schema: text(1000),
    example: `attachment; filename="Quarterly report.pdf"`,
  },
} satisfies Record<string, HeaderObject>;

/** Of requests that change a resource which has versions. */
export const IF_MATCH = {
  name: 'If-Match',
  required: false,
  description:
    'The `ETag` of the version the change is made to, with its quotes: if it is another one by now, the answer is 412. Several may stand with commas between; `*` is any. A weak tag (`W/`) never matches.',
  schema: text(1000),
  example: '"3"',
};

/** Of the same requests. */
export const IF_NONE_MATCH = {
  name: 'If-None-Match',
  required: false,
  description:
    'What the resource must not be: with `*`, or with its current `ETag`, nothing is changed and the answer is 412.',
  schema: text(1000),
  example: '*',
};

/** Of every POST. */
export const IDEMPOTENCY_KEY: ParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A fresh UUID, say. A retry by the same API key with the same body within 24 hours gets the first outcome again, and nothing happens twice. For another API key it is another request. Secrets are shown in the first answer only: a replay has null there, and a warning.',
  schema: text(255),
  example: '5b1f4d0e-7c1c-4f4e-9d3c-0b6a3f0c9a51',
};

export type HeaderName = keyof typeof HEADERS;

/** On every answer of every kind. */
export const EVERYWHERE = ['X-Request-Id', 'Access-Control-Allow-Origin'] as const;

/** On every answer to a request with a valid key. */
export const COUNTED = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
] as const;

/**
 * What an answer to such a request is described with. The others stand in `components` and in the introduction once: at
 * each answer of each operation they would be a seventh of the document.
 */
export const OF_COUNTED = ['RateLimit'] as const;

/** What scripts of other origins may read of an answer (CORS); the rest is for the browser itself. */
export const EXPOSED_HEADERS: readonly HeaderName[] = [
  'Content-Disposition',
  'ETag',
  'Idempotency-Replayed',
  'Location',
  'Retry-After',
  'X-Request-Id',
  ...COUNTED,
];

/** The headers of a response, by reference to their one description. */
export function headers(...names: readonly HeaderName[]): HeadersObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
