import type { ReferenceObject, SchemaObject } from '@nestjs/swagger';
import { RIGHTS } from '../../features/auth/access/rights.js';
import { SCOPES } from '../../features/auth/scopes.js';
import { PLANS } from '../../features/auth/plan.js';
import { PUBLICATION_CHECKS } from '../../features/documents/publishing/publication-checks.js';
import { ERROR_CODES } from '../../platform/basics/errors/app-error.js';
import { MAX_LIMIT } from '../../platform/http/pagination/page-query.dto.js';
import { QUOTAS } from '../../features/usage/quotas/plan-quotas.js';
import { idSchema, sampleId } from '../../platform/openapi/schemas.js';

/** Maximum number of problems in an error. */
const MAX_PROBLEMS = 10_000;

const timestamp = {
  type: 'string',
  format: 'date-time',
  maxLength: 24,
  example: '2026-11-21T09:30:00.000Z',
};
const count = { type: 'integer', format: 'int64', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
const limit = { type: 'integer', format: 'int32', minimum: 1, maximum: MAX_LIMIT, example: 20 };
const nextCursor = {
  type: ['string', 'null'],
  maxLength: 4096,
  pattern: '^[A-Za-z0-9_-]+$',
  description:
    'Send it as `cursor` to get the next page; null on the last page. When you read events with `after`, send it as the next `after`; it is then never null.',
  example: null,
};
const right = { type: 'string', enum: [...RIGHTS] };
const scopes = {
  type: 'array',
  maxItems: SCOPES.length,
  items: { type: 'string', enum: [...SCOPES] },
};

const META: Record<string, SchemaObject | ReferenceObject> = {
  requestId: { ...idSchema('request'), example: sampleId('request') },
  timestamp,
  warnings: {
    type: 'array',
    maxItems: MAX_PROBLEMS,
    description: 'Likely mistakes in an accepted request.',
    items: ref('FieldProblem'),
  },
  totalIsLowerBound: {
    type: 'boolean',
    enum: [true],
    description: 'Only the newest 20,000 documents are counted. Absent if the counts are exact.',
  },
  requestLog: {
    type: 'object',
    required: ['days', 'notKept'],
    description: 'The coverage of the request log, in lists of requests.',
    properties: {
      days: {
        ...limit,
        minimum: 0,
        maximum: 365,
        description: 'How many days requests are stored; 0 means they are not stored.',
        example: 7,
      },
      notKept: {
        type: 'object',
        required: ['busy', 'outage', 'full'],
        description:
          'Requests of these hours that are not in the log, though usage totals include them. `busy`: above the 200 that a process logs per second, errors first. `outage`: the database was unavailable. `full`: older than the newest 100,000.',
        properties: {
          busy: { ...count, example: 0 },
          outage: { ...count, example: 0 },
          full: { ...count, example: 0 },
        },
      },
    },
  },
};

function ref(name: string): ReferenceObject {
  return { $ref: `#/components/schemas/${name}` };
}

/** The parts of the envelope that all responses share. */
export const ENVELOPE_SCHEMAS: Readonly<Record<string, SchemaObject>> = {
  FieldProblem: {
    type: 'object',
    required: ['field', 'issue'],
    properties: {
      field: {
        type: 'string',
        description: 'Path of the field, such as `metadata.tags[2]`.',
        example: 'title',
      },
      issue: { type: 'string', example: 'required field missing' },
      check: {
        type: 'string',
        enum: [...PUBLICATION_CHECKS],
        description: 'With 409 and the reason `checks`: the check that refuses to publish.',
      },
      analysisId: {
        ...idSchema('analysis'),
        description: 'With `check`: the analysis that found it.',
      },
    },
  },
  Meta: {
    type: 'object',
    required: ['requestId', 'timestamp'],
    properties: META,
  },
  ListMeta: {
    type: 'object',
    required: ['requestId', 'timestamp', 'pagination'],
    properties: { ...META, pagination: ref('Pagination') },
  },
  Pagination: {
    type: 'object',
    required: ['limit', 'total', 'hasMore', 'nextCursor'],
    description: '`page` and `pages` are absent if the page was requested by `cursor`.',
    example: { page: 1, limit: 20, total: 1, pages: 1, hasMore: false, nextCursor: null },
    properties: {
      page: { ...count, minimum: 1, example: 1 },
      limit,
      total: {
        ...count,
        description: 'Number of matches. Exact unless `totalIsLowerBound` is set.',
        example: 1,
      },
      pages: { ...count, description: 'Number of pages; 0 if the list is empty.', example: 1 },
      hasMore: { type: 'boolean', example: false },
      nextCursor,
      totalIsLowerBound: {
        type: 'boolean',
        enum: [true],
        description:
          'There are more than 10,000 matches; searches, and events read with `after`, stop counting there. Absent if `total` is exact.',
      },
    },
  },
  Failure: {
    type: 'object',
    required: ['success', 'error', 'meta'],
    properties: {
      success: { type: 'boolean', enum: [false] },
      error: ref('FailureError'),
      meta: ref('Meta'),
    },
  },
  FailureError: {
    type: 'object',
    required: ['code', 'message'],
    properties: {
      code: {
        type: 'string',
        enum: [...ERROR_CODES],
        description: 'The set of codes is closed. The HTTP status distinguishes finer cases.',
      },
      message: { type: 'string', description: 'A sentence for people that says what to do.' },
      details: ref('FailureDetails'),
      docUrl: {
        type: 'string',
        format: 'uri',
        maxLength: 2048,
        description:
          'The page that explains the error. Missing without `PUBLIC_URL`, unless the request was sent to `localhost` or an address of the service.',
      },
    },
  },
  FailureDetails: {
    type: 'object',
    description: 'Machine-readable details. The members depend on the error.',
    additionalProperties: true,
    properties: {
      field: { type: 'string', description: 'The first invalid field.' },
      issue: { type: 'string', description: 'What is wrong with it.' },
      problems: {
        type: 'array',
        maxItems: MAX_PROBLEMS,
        description: 'All problems, including the first.',
        items: ref('FieldProblem'),
      },
      oldestCursor: {
        type: 'string',
        maxLength: 4096,
        pattern: '^[A-Za-z0-9_-]+$',
        description:
          'The position of the oldest stored event, if the requested event or cursor is older. Send it as `after` of `GET /v1/events`.',
      },
      requiredScopes: { ...scopes, description: 'With 403: the scopes that the request needs.' },
      requiredRight: {
        ...right,
        description: 'With 403: the right that the request needs in the collection.',
      },
      right: { ...right, description: 'With 403: the right that you have in the collection.' },
      grantedScopes: { ...scopes, description: 'With 403: the scopes that the key has.' },
      of: {
        type: 'string',
        enum: ['account', 'document', 'key', 'token'],
        description: 'Whose limit is exceeded.',
      },
      window: {
        type: 'string',
        enum: ['second', 'minute', 'hour', 'day'],
        description: 'With 429: the rate-limit window that is exceeded.',
      },
      limit: {
        ...count,
        description:
          'The limit that is exceeded. With 429: requests per window, open streams, or bytes of bodies in progress. With 403: the quota. With 409: the maximum number of items.',
      },
      quota: {
        type: 'string',
        enum: [...QUOTAS],
        description: 'With 403: the quota that is used up.',
      },
      used: { ...count, description: 'With `quota`: the current usage of the account.' },
      requested: { ...count, description: 'With `quota`: how much the request would add.' },
      plan: {
        type: 'string',
        enum: [...PLANS],
        description: 'With `quota`: the plan of the account.',
      },
      resetAt: { ...timestamp, description: 'With 429: when the window resets.' },
      retryAfter: {
        ...limit,
        maximum: 86_400,
        description: 'With 429: seconds until then, as in `Retry-After`.',
      },
      allowed: {
        type: 'array',
        maxItems: 20,
        description:
          'With 405: the methods of the path. With 409: the statuses that the document can change to.',
        items: { type: 'string', maxLength: 10, pattern: '^[A-Za-z_]+$' },
      },
      from: { type: 'string', maxLength: 10, description: 'With 409: the current status.' },
      to: {
        type: 'string',
        maxLength: 10,
        description: 'With 409: the requested status.',
      },
      status: {
        type: 'string',
        maxLength: 20,
        description: 'With 409 of a job or an enhancement: its current status.',
      },
      jobId: {
        ...idSchema('job'),
        description: 'With 409: the running job that already does this.',
      },
      kind: {
        type: 'string',
        maxLength: 50,
        description: 'With 409: the kind of the running jobs.',
      },
      has: {
        type: 'string',
        enum: ['documents', 'templates'],
        description: 'With 409 of an import: what the account already contains.',
      },
      version: {
        ...count,
        description: 'With 409 of a merge: the current version.',
      },
      overlaps: {
        type: 'array',
        maxItems: 100,
        description: 'With 409 of a merge: what both sides have in the places that both changed.',
        items: {
          type: 'object',
          required: ['field', 'yours', 'theirs'],
          properties: {
            field: { type: 'string', maxLength: 20, pattern: '^[A-Za-z]+$' },
            yours: { type: ['string', 'null'] },
            theirs: { type: ['string', 'null'] },
          },
        },
      },
      omitted: { ...count, description: 'How many more overlaps there are.' },
      failedOperation: {
        ...count,
        description: 'With 424 in an atomic batch: the index of the failed operation, from 0.',
      },
      provider: {
        type: 'string',
        enum: ['offline', 'model'],
        description:
          'With 400 and 422: the engine that is not configured or does not support the request.',
      },
      goals: {
        type: 'array',
        maxItems: 20,
        description: 'With 400: the goals that the engine does not support.',
        items: { type: 'string', maxLength: 20 },
      },
      goal: { type: 'string', maxLength: 20, description: 'With 422: the goal that needs a text.' },
      index: {
        ...count,
        description: 'With 422 of edits: the index of the edit that cannot be applied, from 0.',
      },
      currentVersion: { ...count, description: 'With 412: the current version.' },
      currentETag: {
        type: 'string',
        maxLength: 100,
        description: 'With 412: the entity tag of the current version, for `If-Match`.',
      },
      maxBytes: { ...count, description: 'With 413: the maximum size of the body in bytes.' },
      reason: {
        type: 'string',
        maxLength: 20,
        description:
          'With 422 of edits: `empty_find`, `not_found`, `ambiguous`, `out_of_range`, `splits_character`, `too_large` or `too_much_work`. With 404 of a request: why the log may not contain it (`off`, `expired`, `pending`, `busy`, `outage`, `full`), or `unknown`.',
      },
      minBytes: {
        ...count,
        description: 'With 408: the minimum number of bytes that must arrive in time.',
      },
      check: {
        type: 'string',
        enum: ['database', 'migrations', 'shutdown'],
        description: 'With 503 of `/health/ready`: the check that failed.',
      },
    },
  },
};
