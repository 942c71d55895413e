import type { ExampleObject, ResponseObject, ResponsesObject } from '@nestjs/swagger';
import { ANY_SCOPE } from '../../features/access/auth/authentication.js';
import { ERROR_STATUS, failureEnvelope } from '../../platform/http/envelope/envelope.js';
import { COUNTED, EVERYWHERE, headers, type HeaderName } from '../../platform/openapi/headers.js';
import { sampleId } from '../../platform/openapi/schemas.js';
import type { Refusal } from '../../platform/openapi/route-decorators.js';
import type { Route } from './routes.js';
import { STANDARD_REFUSALS } from './standard-refusals.js';

interface Failure {
  /** Its name under `components.responses`. */
  name: string;
  description: string;
  headers?: readonly HeaderName[];
  /** Whether the request can have counted: its answer then tells the limits. */
  counted: boolean;
}

/** Every status of a failure that a route can answer. */
const FAILURES = {
  '400': {
    name: 'InvalidRequest',
    description:
      'The request is malformed, lacks something required or has something unknown. `details` names every problem at once.',
    counted: true,
  },
  '401': {
    name: 'Unauthorized',
    description:
      'The key is missing, malformed, unknown, revoked, expired or not for your address.',
    headers: ['WWW-Authenticate'],
    counted: false,
  },
  '403': {
    name: 'Forbidden',
    description:
      "The key is valid and lacks a scope, or a quota of the account's plan has no room. The request counts.",
    counted: true,
  },
  '404': {
    name: 'NotFound',
    description:
      'There is no such resource, it was deleted, or it belongs to another account: the answer is the same.',
    counted: true,
  },
  '409': {
    name: 'Conflict',
    description: 'The state of the resource does not allow this.',
    counted: true,
  },
  '412': {
    name: 'PreconditionFailed',
    description:
      'The resource is not the version that `If-Match` names, or is one that `If-None-Match` excludes. Nothing was changed.',
    counted: true,
  },
  '413': {
    name: 'PayloadTooLarge',
    description: 'The body is larger than the service reads. The connection is closed.',
    counted: true,
  },
  '415': {
    name: 'UnsupportedMediaType',
    description:
      'The body is not of the type that the route reads (JSON in UTF-8 everywhere but in imports), or is compressed.',
    headers: ['Accept-Patch'],
    counted: true,
  },
  '422': {
    name: 'Unprocessable',
    description: 'The request is well-formed and cannot be done. Nothing was changed.',
    counted: true,
  },
  '429': {
    name: 'TooManyRequests',
    description:
      "A window of the account's plan is full, or too many wrong keys came from your address: consumes nothing. Or the account or your address has too much under way at once.",
    headers: ['Retry-After'],
    counted: true,
  },
  '500': {
    name: 'InternalError',
    description: 'Something went wrong on our side. Nothing was changed.',
    counted: true,
  },
  '503': {
    name: 'Unavailable',
    description: 'The service or its database cannot answer now.',
    headers: ['Retry-After'],
    counted: true,
  },
} as const satisfies Record<string, Failure>;

type FailureStatus = keyof typeof FAILURES;

/**
 * One response for each status, for `components.responses`. Its examples are the failures of all routes with this status:
 * responses that differ from operation to operation confuse generators of clients, and repeat themselves.
 */
export function sharedFailures(routes: readonly Route[]): Record<string, ResponseObject> {
  return Object.fromEntries(
    statuses().map((status) => {
      const refusals = [
        ...(STANDARD_REFUSALS[status] ?? []),
        ...routes.flatMap((route) => refusalsOf(route, status)),
      ];
      return [FAILURES[status].name, responseOf(status, refusals)];
    }),
  );
}

/** The parts of a request that can be wrong. */
export interface RequestParts {
  hasBody: boolean;
  /** The path names a resource. */
  hasId: boolean;
}

/** The failures of one route, each by reference to the shared response of its status. */
export function failuresOf(route: Route, parts: RequestParts): ResponsesObject {
  const usual = new Set(usualStatuses(route, parts));
  return Object.fromEntries(
    statuses()
      .filter((status) => usual.has(status) || refusalsOf(route, status).length > 0)
      .map((status) => [status, { $ref: `#/components/responses/${FAILURES[status].name}` }]),
  );
}

function usualStatuses({ authentication, scope, idempotent }: Route, parts: RequestParts) {
  const usual: FailureStatus[] = ['500'];
  if (authentication !== 'none') usual.push('400', '401', '429', '503');
  if (scope !== undefined && scope !== ANY_SCOPE) usual.push('403');
  if (parts.hasId) usual.push('404');
  if (parts.hasBody) usual.push('413', '415');
  // A retry while the first request runs, or with another body.
  if (idempotent) usual.push('409', '422');
  return usual;
}

/** The failures of this status that the route declares. */
function refusalsOf({ refusals }: Route, status: FailureStatus): Refusal[] {
  return refusals.filter(({ error }) => String(ERROR_STATUS[error.kind].status) === status);
}

function responseOf(status: FailureStatus, refusals: readonly Refusal[]): ResponseObject {
  const failure: Failure = FAILURES[status];
  return {
    description: failure.description,
    headers: headers(
      ...EVERYWHERE,
      ...(failure.counted ? COUNTED : []),
      ...(failure.headers ?? []),
    ),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Failure' },
        examples: examplesOf(refusals),
      },
    },
  };
}

/** The different examples by name. A further one with the same summary gets a number: `notFound2`. */
function examplesOf(refusals: readonly Refusal[]): Record<string, ExampleObject> {
  const now = new Date('2026-11-21T09:30:00.000Z');
  const different = new Map(
    refusals.map(({ summary, error }): [string, ExampleObject] => {
      const value: unknown = JSON.parse(failureEnvelope(error, sampleId('request'), now));
      return [JSON.stringify([summary, value]), { summary, value }];
    }),
  );
  const uses = new Map<string, number>();
  return Object.fromEntries(
    [...different.values()].map((example) => {
      const name = camelCase(example.summary ?? '');
      const use = (uses.get(name) ?? 0) + 1;
      uses.set(name, use);
      return [use === 1 ? name : `${name}${String(use)}`, example];
    }),
  );
}

function camelCase(summary: string): string {
  return summary
    .replace(/[^A-Za-z0-9]+(.)/g, (_, next: string) => next.toUpperCase())
    .replace(/^./, (first) => first.toLowerCase());
}

function statuses(): FailureStatus[] {
  return Object.keys(FAILURES) as FailureStatus[];
}
