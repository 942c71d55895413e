import type { ExampleObject, ResponseObject, ResponsesObject } from '@nestjs/swagger';
import { keyRefused } from '../../features/auth/api-keys/api-key-authenticator.js';
import { ANY_SCOPE } from '../../features/auth/auth.decorators.js';
import { keyMissing } from '../../features/auth/guards/authentication.guard.js';
import { scopeMissing } from '../../features/auth/guards/scope.guard.js';
import { rateLimitRefusal } from '../../features/rate-limit/rate-limit-response.js';
import {
  anotherBody,
  stillRunning,
} from '../../features/idempotency/idempotency-record.repository.js';
import { AppError, invalidFields, notFound } from '../../platform/basics/errors/app-error.js';
import { unavailable } from '../../platform/basics/errors/database-error.js';
import { DEFAULT_BODY_LIMIT } from '../../platform/config/environment.js';
import { shareIsFull } from '../../platform/http/bodies/body-budget.js';
import { ERROR_STATUS, failureEnvelope } from '../../platform/http/envelope/envelope.js';
import { bodyTooLarge } from '../../platform/http/bodies/json-body-reader.js';
import { COUNTED, EVERYWHERE, headers, type HeaderName } from '../../platform/openapi/headers.js';
import { sampleId } from '../../platform/openapi/schemas.js';
import type { Refusal } from '../../platform/openapi/route-decorators.js';
import type { Route } from './routes.js';

/** The time of all examples. */
const NOW = new Date('2026-11-21T09:30:00.000Z');
const NO_JSON = { field: 'body', issue: 'is not valid JSON (line 1, column 12)' };

interface Failure {
  /** Name under `components.responses`. */
  name: string;
  description: string;
  headers?: readonly HeaderName[];
  /** Errors that any route with this status can return. */
  examples?: readonly Refusal[];
}

/** Every error status that a route can return. */
const FAILURES = {
  '400': {
    name: 'InvalidRequest',
    description:
      'The request is malformed, lacks a required field or has an unknown one. `details` lists all problems.',
    examples: [
      [
        'Malformed path',
        new AppError('bad_request', 'The request is malformed. Check its path and headers.'),
      ],
      [
        'Malformed JSON',
        new AppError('bad_request', `The body ${NO_JSON.issue}.`, {
          ...NO_JSON,
          problems: [NO_JSON],
        }),
      ],
      [
        'Limit too large',
        invalidFields([{ field: 'limit', issue: 'must be a whole number from 1 to 100' }]),
      ],
    ],
  },
  '401': {
    name: 'Unauthorized',
    description:
      'The key is missing, malformed, unknown, revoked, expired, or not allowed from your address.',
    headers: ['WWW-Authenticate'],
    examples: [
      ['No key', keyMissing()],
      ['Unknown key', keyRefused('unknown')],
      ['Revoked key', keyRefused('revoked')],
    ],
  },
  '403': {
    name: 'Forbidden',
    description:
      'The key is valid but lacks a scope, or a quota of the plan is used up. The request counts.',
    examples: [['Scope missing', scopeMissing('documents:write', ['documents:read'])]],
  },
  '404': {
    name: 'NotFound',
    description:
      'The resource does not exist, was deleted, or belongs to another account. The response is the same in all cases.',
    examples: [['Unknown document', notFound('document')]],
  },
  '409': {
    name: 'Conflict',
    description: 'The current state of the resource does not allow this.',
    examples: [['Still running', stillRunning()]],
  },
  '412': {
    name: 'PreconditionFailed',
    description:
      'The current version does not match `If-Match`, or `If-None-Match` excludes it. Nothing was changed.',
  },
  '413': {
    name: 'PayloadTooLarge',
    description: 'The body is larger than the limit. The connection is closed.',
    examples: [['Body too large', bodyTooLarge(DEFAULT_BODY_LIMIT)]],
  },
  '415': {
    name: 'UnsupportedMediaType',
    description:
      'The body is not of a type that the route accepts (JSON in UTF-8, except for imports), or it is compressed.',
    headers: ['Accept-Patch'],
    examples: [
      [
        'Not JSON',
        new AppError(
          'unsupported_media_type',
          'Send the body as JSON with the header Content-Type: application/json.',
          { field: 'Content-Type', issue: 'is missing' },
        ),
      ],
    ],
  },
  '422': {
    name: 'Unprocessable',
    description: 'The request is well-formed but cannot be carried out. Nothing was changed.',
    examples: [['Key used with another body', anotherBody()]],
  },
  '429': {
    name: 'TooManyRequests',
    description:
      'A rate limit is exceeded, or too many invalid keys came from your address; the request does not count. Or the account or your address has too many requests in progress.',
    headers: ['Retry-After'],
    examples: [
      [
        'Window full',
        rateLimitRefusal(
          {
            of: 'account',
            window: 'minute',
            limit: 10,
            remaining: 0,
            resetAt: NOW.getTime() + 42_000,
          },
          NOW.getTime(),
        ),
      ],
      [
        'Too many large bodies at once',
        shareIsFull('account', { share: 32 * 1024 ** 2, smallBody: 64 * 1024 }),
      ],
    ],
  },
  '500': {
    name: 'InternalError',
    description: 'An error on our side. Nothing was changed.',
    examples: [
      [
        'Internal error',
        new AppError(
          'internal',
          'Something went wrong on our side. Try again; if it persists, report the request ID.',
        ),
      ],
    ],
  },
  '503': {
    name: 'Unavailable',
    description: 'The service or its database is temporarily unavailable.',
    headers: ['Retry-After'],
    examples: [
      ['Database unavailable', unavailable('unreachable')],
      ['Too many requests at once', unavailable('overloaded')],
      ['Request takes too long', unavailable('cut')],
      ['Blocked by other requests', unavailable('contended')],
    ],
  },
} as const satisfies Record<string, Failure>;

type FailureStatus = keyof typeof FAILURES;

const STATUSES = Object.keys(FAILURES) as FailureStatus[];

/**
 * Returns one response per status for `components.responses`, with the errors of all routes as examples. Responses that
 * differ between operations confuse client generators and repeat most of their text.
 */
export function sharedFailures(routes: readonly Route[]): Record<string, ResponseObject> {
  return Object.fromEntries(
    STATUSES.map((status) => {
      const { name, description, headers: own = [], examples = [] }: Failure = FAILURES[status];
      const refusals = [...examples, ...routes.flatMap((route) => refusalsOf(route, status))];
      const response = {
        description,
        // Requests without a valid key do not count against a limit.
        headers: headers(...EVERYWHERE, ...(status === '401' ? [] : COUNTED), ...own),
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/Failure' },
            examples: examplesOf(refusals),
          },
        },
      };
      return [name, response];
    }),
  );
}

/** The parts of a request that can be wrong. */
interface RequestParts {
  hasBody: boolean;
  /** True if the path names a resource. */
  hasId: boolean;
}

/** Returns the errors of one route, each as a reference to the shared response of its status. */
export function failuresOf(route: Route, parts: RequestParts): ResponsesObject {
  const usual = new Set(usualStatuses(route, parts));
  return Object.fromEntries(
    STATUSES.filter((status) => usual.has(status) || refusalsOf(route, status).length > 0).map(
      (status) => [status, { $ref: `#/components/responses/${FAILURES[status].name}` }],
    ),
  );
}

function usualStatuses({ authentication, scope, idempotent }: Route, parts: RequestParts) {
  const usual: FailureStatus[] = ['500'];
  if (authentication !== 'none') usual.push('400', '401', '429', '503');
  if (scope !== undefined && scope !== ANY_SCOPE) usual.push('403');
  if (parts.hasId) usual.push('404');
  if (parts.hasBody) usual.push('413', '415');
  // A retry while the first request is running, or with another body.
  if (idempotent) usual.push('409', '422');
  return usual;
}

function refusalsOf({ refusals }: Route, status: FailureStatus): Refusal[] {
  return refusals.filter((refusal) => statusOf(refusal) === status);
}

export function statusOf([, error]: Refusal): string {
  return String(ERROR_STATUS[error.kind].status);
}

/** Returns the first example of each summary, by name. */
function examplesOf(refusals: readonly Refusal[]): Record<string, ExampleObject> {
  const examples: Record<string, ExampleObject> = {};
  for (const [summary, error] of refusals) {
    examples[camelCase(summary)] ??= { summary, value: exampleOf(error) };
  }
  return examples;
}

/** Returns the error envelope as the service sends it. */
export function exampleOf(error: AppError): unknown {
  return JSON.parse(failureEnvelope(error, { requestId: sampleId('request'), now: NOW }));
}

function camelCase(summary: string): string {
  return summary
    .replace(/[^A-Za-z0-9]+(.)/g, (_, next: string) => next.toUpperCase())
    .replace(/^./, (first) => first.toLowerCase());
}
