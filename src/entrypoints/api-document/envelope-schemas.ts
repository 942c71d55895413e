import type { ReferenceObject, SchemaObject } from '@nestjs/swagger';
import { SCOPES } from '../../features/access/auth/scopes.js';
import { PLANS } from '../../features/access/auth/plan.js';
import { ERROR_CODES } from '../../platform/basics/errors/app-error.js';
import { MAX_LIMIT } from '../../platform/http/pagination/page-query.dto.js';
import { QUOTAS } from '../../features/usage/plan-quotas.js';
import { idSchema, sampleId } from '../../platform/openapi/schemas.js';

/** Problems a failure names at most. */
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
    'Send it as `cursor` for the next page; null on the last one. Of events read with `after`: send it as `after`, now or later; never null.',
  example: null,
};
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
    description: 'What was accepted and is doubtful all the same.',
    items: ref('FieldProblem'),
  },
  totalIsLowerBound: {
    type: 'boolean',
    enum: [true],
    description:
      'Facets count the newest 20,000 documents: there are more. Absent where they are exact.',
  },
  requestLog: {
    type: 'object',
    required: ['days', 'notKept'],
    description: 'With lists of requests: what the log has.',
    properties: {
      days: {
        ...limit,
        minimum: 0,
        maximum: 365,
        description: 'For how long requests are kept; 0: not at all.',
        example: 7,
      },
      notKept: {
        type: 'object',
        required: ['busy', 'outage', 'full'],
        description:
          'How many of the hours asked for are not in the log, though totals count them: beyond the 200 that a process writes in a second, failures first; while the database was away; and behind the newest 100,000 of the account.',
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

/** The parts of the envelope that all answers share. */
export const ENVELOPE_SCHEMAS: Readonly<Record<string, SchemaObject>> = {
  FieldProblem: {
    type: 'object',
    required: ['field', 'issue'],
    properties: {
      field: {
        type: 'string',
        description: 'Dotted path of the field, such as `metadata.tags[2]`.',
        example: 'title',
      },
      issue: { type: 'string', example: 'required field missing' },
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
    description: 'Pages reached by `cursor` have no `page` and no `pages`.',
    example: { page: 1, limit: 20, total: 1, pages: 1, hasMore: false, nextCursor: null },
    properties: {
      page: { ...count, minimum: 1, example: 1 },
      limit,
      total: {
        ...count,
        description: 'Exact; with `totalIsLowerBound` there are more.',
        example: 1,
      },
      pages: { ...count, description: '0 of an empty list.', example: 1 },
      hasMore: { type: 'boolean', example: false },
      nextCursor,
      totalIsLowerBound: {
        type: 'boolean',
        enum: [true],
        description:
          'A search, and events read with `after`, count at most 10,000: there are more. Absent where `total` is exact.',
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
        description: 'The set is closed; finer cases differ in the HTTP status.',
      },
      message: { type: 'string', description: 'One sentence that says what to do.' },
      details: ref('FailureDetails'),
    },
  },
  FailureDetails: {
    type: 'object',
    description: 'What a program can use of the failure. Which members there are depends on it.',
    additionalProperties: true,
    properties: {
      field: { type: 'string', description: 'The first wrong field.' },
      issue: { type: 'string', description: 'What is wrong with it.' },
      problems: {
        type: 'array',
        maxItems: MAX_PROBLEMS,
        description: 'Everything that is wrong, the first problem included.',
        items: ref('FieldProblem'),
      },
      oldestCursor: {
        type: 'string',
        maxLength: 4096,
        pattern: '^[A-Za-z0-9_-]+$',
        description:
          'With an event or a cursor from which reading on would leave a gap: where the stored events begin. Send it as `after` of `GET /v1/events`.',
      },
      requiredScopes: { ...scopes, description: 'With 403: what the key needs.' },
      grantedScopes: { ...scopes, description: 'With 403: what the key has.' },
      window: {
        type: 'string',
        enum: ['second', 'minute', 'hour', 'day'],
        description: 'With 429: the window that is full.',
      },
      limit: {
        ...count,
        description:
          'The most there may be. With 429: requests of the window, open streams, or bytes of bodies at once. With 403: of the quota. With 409: of what is one too many.',
      },
      quota: {
        type: 'string',
        enum: [...QUOTAS],
        description: 'With 403: the quota of the plan that has no room.',
      },
      used: { ...count, description: 'With `quota`: what the account has now.' },
      requested: { ...count, description: 'With `quota`: how much more was asked for.' },
      plan: { type: 'string', enum: [...PLANS], description: 'With `quota`: the plan it is of.' },
      resetAt: { ...timestamp, description: 'With 429: when the window starts anew.' },
      retryAfter: {
        ...limit,
        maximum: 86_400,
        description: 'With 429: seconds until then, as in `Retry-After`.',
      },
      allowed: {
        type: 'array',
        maxItems: 20,
        description:
          'With 405: the methods that the path has. With 409: the statuses that the document can take.',
        items: { type: 'string', maxLength: 10, pattern: '^[A-Za-z_]+$' },
      },
      from: { type: 'string', maxLength: 10, description: 'With 409: the present status.' },
      to: {
        type: 'string',
        maxLength: 10,
        description: 'With 409: the status that was asked for.',
      },
      status: {
        type: 'string',
        maxLength: 20,
        description: 'With 409 of a job or an enhancement: its present status.',
      },
      jobId: {
        ...idSchema('job'),
        description: 'With 409: the job that does already what was asked for.',
      },
      kind: {
        type: 'string',
        maxLength: 50,
        description: 'With 409: of which kind that job is, or the jobs are that have not ended.',
      },
      has: {
        type: 'string',
        enum: ['documents', 'templates'],
        description: 'With 409 of an import: what the account is not empty of.',
      },
      failedOperation: {
        ...count,
        description: 'With 424 in an atomic batch: the place of the operation that failed, from 0.',
      },
      provider: {
        type: 'string',
        enum: ['offline', 'model'],
        description: 'With 400 and 422: the engine that cannot do it, or is not there.',
      },
      goals: {
        type: 'array',
        maxItems: 20,
        description: 'With 400: the goals that this engine does not have.',
        items: { type: 'string', maxLength: 20 },
      },
      goal: { type: 'string', maxLength: 20, description: 'With 422: the goal that needs a text.' },
      index: {
        ...count,
        description: 'With 422 of edits: the place of the edit that cannot be made, from 0.',
      },
      currentVersion: { ...count, description: 'With 412: the version there is.' },
      currentETag: {
        type: 'string',
        maxLength: 100,
        description: 'With 412: its entity tag, for `If-Match`.',
      },
      maxBytes: { ...count, description: 'With 413: the most bytes a body may have.' },
      reason: {
        type: 'string',
        maxLength: 20,
        description:
          'With 422 of edits: `empty_find`, `not_found`, `ambiguous`, `out_of_range`, `splits_character`, `too_large` or `too_much_work`. With 404 of a request: why the log may not have it (`off`, `expired`, `pending`, `busy`, `outage`, `full`), or `unknown`.',
      },
      minBytes: { ...count, description: 'With 408: the fewest bytes that must arrive in time.' },
      check: {
        type: 'string',
        enum: ['database', 'migrations', 'shutdown'],
        description: 'With 503 of `/health/ready`: what is not ready.',
      },
    },
  },
};
