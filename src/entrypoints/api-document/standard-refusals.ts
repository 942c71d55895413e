import { keyRefused } from '../../features/access/auth/api-keys/api-key-authenticator.js';
import { keyMissing } from '../../features/access/auth/guards/authentication.guard.js';
import { scopeMissing } from '../../features/access/auth/guards/scope.guard.js';
import { DEFAULT_BODY_LIMIT } from '../../platform/config/environment.js';
import { shareIsFull } from '../../platform/http/bodies/body-budget.js';
import { bodyTooLarge } from '../../platform/http/bodies/json-body-reader.js';
import { AppError, invalidFields, notFound } from '../../platform/basics/errors/app-error.js';
import { unavailable } from '../../platform/basics/errors/database-error.js';
import {
  anotherBody,
  stillRunning,
} from '../../features/idempotency/idempotency-record.repository.js';
import { rateLimitRefusal } from '../../features/access/rate-limit/rate-limit-response.js';
import type { Refusal } from '../../platform/openapi/route-decorators.js';

const NOW = Date.parse('2026-11-21T09:30:00.000Z');
const NO_JSON = { field: 'body', issue: 'is not valid JSON (line 1, column 12)' };

/** Failures that routes of a kind have in common, by status, as the code throws them. */
export const STANDARD_REFUSALS: Readonly<Record<string, readonly Refusal[]>> = {
  '400': [
    {
      summary: 'Malformed path',
      error: new AppError('bad_request', 'The request is malformed. Check its path and headers.'),
    },
    {
      summary: 'Malformed JSON',
      error: new AppError('bad_request', `The body ${NO_JSON.issue}.`, {
        ...NO_JSON,
        problems: [NO_JSON],
      }),
    },
    {
      summary: 'Limit too large',
      error: invalidFields([{ field: 'limit', issue: 'must be a whole number from 1 to 100' }]),
    },
  ],
  '401': [
    {
      summary: 'No key',
      error: keyMissing(),
    },
    {
      summary: 'Unknown key',
      error: keyRefused('unknown'),
    },
    {
      summary: 'Revoked key',
      error: keyRefused('revoked'),
    },
  ],
  '403': [
    {
      summary: 'Scope missing',
      error: scopeMissing('documents:write', ['documents:read']),
    },
  ],
  '404': [{ summary: 'Unknown document', error: notFound('document') }],
  '409': [{ summary: 'Still running', error: stillRunning() }],
  '413': [
    {
      summary: 'Body too large',
      error: bodyTooLarge(DEFAULT_BODY_LIMIT),
    },
  ],
  '415': [
    {
      summary: 'No JSON',
      error: new AppError(
        'unsupported_media_type',
        'Send the body as JSON with the header Content-Type: application/json.',
        { field: 'Content-Type', issue: 'is missing' },
      ),
    },
  ],
  '422': [{ summary: 'Key used with another body', error: anotherBody() }],
  '429': [
    {
      summary: 'Window full',
      error: rateLimitRefusal(
        { window: 'minute', limit: 10, remaining: 0, resetAt: NOW + 42_000 },
        NOW,
      ),
    },
    {
      summary: 'Bodies too large together',
      error: shareIsFull('account', { share: 32 * 1024 ** 2, smallBody: 64 * 1024 }),
    },
  ],
  '500': [
    {
      summary: 'Internal error',
      error: new AppError(
        'internal',
        'Something went wrong on our side. Try again; if it persists, report the request ID.',
      ),
    },
  ],
  '503': [
    { summary: 'Database away', error: unavailable('unreachable') },
    { summary: 'Too many requests at once', error: unavailable('overloaded') },
    { summary: 'Too large for its time', error: unavailable('cut') },
    { summary: 'Held up by others', error: unavailable('contended') },
  ],
};
