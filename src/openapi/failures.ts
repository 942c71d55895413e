import type { ExampleObject, ResponseObject, ResponsesObject } from '@nestjs/swagger';
import { ANY_SCOPE } from '../auth/authentication.js';
import { ERROR_STATUS, failureEnvelope } from '../envelope/envelope.js';
import { notFound } from '../errors/app-error.js';
import { COUNTED, EVERYWHERE, headers, OF_COUNTED, type HeaderName } from './headers.js';
import { sampleId } from './property-decorators.js';
import type { Refusal } from './route-decorators.js';
import type { Route } from './routes.js';
import {
  LIMIT_TOO_LARGE,
  MALFORMED_JSON,
  RETRIES,
  STANDARD_REFUSALS,
} from './standard-refusals.js';

interface Failure {
  /** Its name under `components.responses`. */
  name: string;
  /** Whether it differs from route to route. */
  varies?: true;
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
    varies: true,
    description:
      'There is no such resource, it was deleted, or it belongs to another account: the answer is the same.',
    counted: true,
  },
  '409': {
    name: 'Conflict',
    varies: true,
    description: 'The state of the resource does not allow this.',
    counted: true,
  },
  '412': {
    name: 'PreconditionFailed',
    varies: true,
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
    varies: true,
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
  '4XX': {
    name: 'OtherRefusal',
    description:
      'What any path can answer: 405 with `Allow` for a method it has not, 408 when the request arrives too slowly, 417 for an `Expect` that cannot be met, 431 when headers or address are too large.',
    headers: ['Allow'],
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

/** The failures that look the same on every route, for `components.responses`: with the headers that all answers have. */
export function sharedFailures(): Record<string, ResponseObject> {
  return Object.fromEntries(
    statuses().flatMap((status): [string, ResponseObject][] => {
      const { name, varies, counted } = failureOf(status);
      if (varies) return [];
      const { headers: own, ...response } = responseOf(status, STANDARD_REFUSALS[status] ?? []);
      const common = headers(...EVERYWHERE, ...(counted ? COUNTED : []));
      return [[name, { ...response, headers: { ...common, ...own } }]];
    }),
  );
}

/** What failures of this status are called, and the names of the examples that all of them have. */
export function nameOfFailure(status: string): { name: string; usual: readonly string[] } {
  const { name } = failureOf(status as FailureStatus);
  const usual = (STANDARD_REFUSALS[status] ?? []).map((refusal) => exampleOf(refusal)[0]);
  return { name, usual };
}

/** What of a request can be wrong. */
export interface RequestParts {
  body: 'none' | 'json' | 'form';
  /** The path names a resource. */
  id: boolean;
  /** It asks for a page of a list. */
  page: boolean;
}

/** The failures of one route: those of every route like it, and its own. */
export function failuresOf(route: Route, parts: RequestParts): ResponsesObject {
  const refusals = [
    ...route.refusals,
    ...(parts.body === 'json' ? [MALFORMED_JSON] : []),
    ...(parts.page ? [LIMIT_TOO_LARGE] : []),
    ...(route.idempotent ? RETRIES : []),
  ];
  const own = (status: FailureStatus) =>
    refusals.filter(({ error }) => String(ERROR_STATUS[error.kind].status) === status);
  const usual = new Set(usualStatuses(route, parts));
  return Object.fromEntries(
    statuses()
      .filter((status) => usual.has(status) || own(status).length > 0)
      .map((status) => [status, answerOf(status, route, own(status))]),
  );
}

function usualStatuses({ authentication, scope }: Route, { body, id }: RequestParts) {
  const usual: FailureStatus[] = ['4XX', '500'];
  if (authentication !== 'none') usual.push('400', '401', '429', '503');
  if (scope !== undefined && scope !== ANY_SCOPE) usual.push('403');
  if (id) usual.push('404');
  if (body !== 'none') usual.push('413', '415');
  return usual;
}

function answerOf(status: FailureStatus, { resource }: Route, own: readonly Refusal[]) {
  const { name, varies } = failureOf(status);
  if (!varies && own.length === 0) return { $ref: `#/components/responses/${name}` };
  const unknown =
    status === '404' && resource
      ? [{ summary: `Unknown ${resource}`, error: notFound(resource) }]
      : [];
  return responseOf(status, [...own, ...unknown, ...(STANDARD_REFUSALS[status] ?? [])]);
}

function responseOf(status: FailureStatus, refusals: readonly Refusal[]): ResponseObject {
  const failure = failureOf(status);
  return {
    description: failure.description,
    headers: headers(...(failure.counted ? OF_COUNTED : []), ...(failure.headers ?? [])),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Failure' },
        examples: Object.fromEntries(refusals.map(exampleOf)),
      },
    },
  };
}

function exampleOf({ summary, error }: Refusal): [string, ExampleObject] {
  const now = new Date('2026-11-21T09:30:00.000Z');
  const value: unknown = JSON.parse(failureEnvelope(error, sampleId('request'), now));
  return [camelCase(summary), { summary, value }];
}

function camelCase(summary: string): string {
  return summary
    .replace(/[^A-Za-z0-9]+(.)/g, (_, next: string) => next.toUpperCase())
    .replace(/^./, (first) => first.toLowerCase());
}

function statuses(): FailureStatus[] {
  return Object.keys(FAILURES) as FailureStatus[];
}

function failureOf(status: FailureStatus): Failure {
  return FAILURES[status];
}
