import type { OpenAPIObject } from '@nestjs/swagger';
import { PLANS, WINDOWS } from '../../features/auth/plan.js';
import { SCOPE_MEANINGS, SCOPES } from '../../features/auth/scopes.js';
import { DEFAULT_BODY_LIMIT } from '../../platform/config/environment.js';
import { SERVICE_VERSION } from '../../platform/config/project.js';
import { ERROR_STATUS } from '../../platform/http/envelope/envelope.js';
import { ERROR_CODES } from '../../platform/basics/errors/app-error.js';
import { PLAN_LIMITS } from '../../features/rate-limit/plan-limits.js';
import { PLAN_QUOTAS, QUOTAS, type Quota } from '../../features/usage/quotas/plan-quotas.js';
import { BEARER_KEY, BROWSER_TOKEN } from './complete-operation.js';

const QUOTA_HEADINGS: Readonly<Record<Quota, string>> = {
  documents: 'Documents',
  storageBytes: 'Storage',
  webhooks: 'Webhooks',
  keys: 'Active keys',
  members: 'Members',
  analysesPerDay: 'Analyses per day',
  modelTokensPerDay: 'Model tokens per day',
  checkCharactersPerDay: 'Characters checked in editors per day',
};

const DESCRIPTION = `Create documents, analyze them, and notify other systems about changes.

## Requests

All API paths start with \`/v1\`. A body is a JSON object in UTF-8, sent with \`Content-Type: application/json\`, of at most
${String(DEFAULT_BODY_LIMIT / 1024 ** 2)} MiB unless the operator configures another limit. Unknown fields in a body or query are rejected; the error suggests
the nearest known name. Text with U+0000 or an unpaired surrogate is rejected.

## Responses

Every response is an envelope: \`{"success": true, "data": …, "meta": {…}}\` or
\`{"success": false, "error": {…}, "meta": {…}}\`. \`meta.requestId\` is also in the header \`X-Request-Id\`.
\`/v1/openapi.json\` (this document) and \`/metrics\` (for Prometheus) have no envelope.

An \`id\` is a prefix for its kind followed by 26 characters, such as \`doc_01kam3k0v5e0rbk1y2c9q4w7zt\`. Ids of one kind sort
by creation time. Times are ISO 8601 in UTC. Times in requests can use any time zone; \`24:00:00\` is the end of the day,
and a leap second (\`23:59:60\` in UTC) is the following second.

## Authentication

Send an API key in the header \`Authorization: Bearer <API_KEY>\`. A key belongs to an account and has scopes; each
operation names its scope. Revoking a key takes effect immediately.

Two kinds of tokens stand for a key in the same header, and end with it. Web pages use browser tokens for some documents
(\`POST /v1/tokens\`). Apps that people connect with OAuth use access tokens.

${scopesTable()}

## Rate limits

Every request with a valid key counts for its account, except those rejected with 429 because a window is full. A window
starts with its first request. Keys and browser tokens can have limits of their own, which also apply;
\`details.of\` of a 429 says whose limit is used up.

${limitsTable()}

In every response to a request with a valid key, \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\` describe the window with
the fewest requests left; \`RateLimit\` and \`RateLimit-Policy\` describe all windows, with names such as \`key-minute\` for
those of a key or a token. Every response has \`X-Request-Id\`.
\`components.headers\` documents all of them; the operations list only \`RateLimit\`.

Request bodies larger than 64 KiB share the memory of the service. An account, and an address, can have about 32 MiB of
them in progress (429), and all callers together twice as much (503). Clients must send a body without long pauses (408)
and read the response.

## Quotas

A request that would exceed a quota of the plan is rejected with 403 \`FORBIDDEN\` and
\`details: {quota, limit, used, plan}\`. A smaller plan deletes nothing. \`GET /v1/usage\` returns the current usage.

${quotasTable()}

Documents in the trash count until you delete them permanently. Storage counts the bytes of title, content, metadata and
aiSettings in UTF-8. Old versions count if they were imported with an archive; templates do not.

## Errors

${errorsTable()}

The set of codes is closed; the HTTP status distinguishes finer cases. \`error.message\` is for people, \`error.details\` for
programs.

Each operation lists its errors. Any path can also respond with:

- 405 if it does not support the method; \`Allow\` lists those that it supports.
- 408 if the request arrives too slowly.
- 417 if \`Expect\` cannot be met.
- 431 if the headers or the URL are too large.

## Lists

Every list accepts \`page\`, \`limit\`, \`sort\` and \`order\`, and returns an exact \`total\`. To read a whole list, follow
\`meta.pagination.nextCursor\` with \`cursor\`: every page costs the same, and new items do not shift the pages.

## Webhooks

Every event is delivered at least once, with the same body and a new signature each time. Respond with 2xx within 15
seconds.

## Versions

\`/v1\` only grows: ignore fields of responses that you do not know. Removals are announced at least 12
months ahead with the headers \`Deprecation\` (RFC 9745), \`Sunset\` (RFC 8594) and \`Link\`.`;

const TAGS = [
  { name: 'documents', description: 'Texts with metadata and AI settings.' },
  {
    name: 'analysis',
    description: 'Findings in texts, suggested changes, and the style rules of the account.',
  },
  {
    name: 'proposals',
    description: 'Changes that people and programs propose to documents, for somebody to accept.',
  },
  { name: 'templates', description: 'Texts with variables, from which you create documents.' },
  { name: 'webhooks', description: 'Endpoints of other systems that receive events.' },
  { name: 'events', description: 'Everything that happened in the account.' },
  { name: 'keys', description: 'The API keys of the account.' },
  { name: 'tokens', description: 'Short-lived tokens with which web pages use some documents.' },
  { name: 'jobs', description: 'Background work and its results.' },
  {
    name: 'account',
    description: 'The caller, and the account with its limits, export and import.',
  },
  { name: 'audit', description: 'Who did what to which resource, and from where.' },
  {
    name: 'requests',
    description: 'Recent requests made with the keys of the account or failed in the dashboard.',
  },
  { name: 'usage', description: 'Current usage and the limits of the plan.' },
  {
    name: 'service',
    description: 'The service itself: health, metrics and this document.',
  },
];

/** Returns everything in the document that is not an operation or a schema. */
export function introduction(): Omit<OpenAPIObject, 'paths'> {
  const server = {
    url: '/',
    description: 'The service that serves this document, in production, staging or local.',
    'x-internal': false,
  };
  const license = { name: 'MIT', identifier: 'MIT' };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Document Service API',
      version: SERVICE_VERSION,
      description: DESCRIPTION,
      contact: { name: 'The operator of this service' },
      license,
    },
    servers: [server],
    security: [{ [BEARER_KEY]: [] }],
    tags: TAGS,
    components: {
      securitySchemes: {
        [BEARER_KEY]: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'ds_live_…',
          description: 'An API key. The introduction lists the scopes.',
        },
        [BROWSER_TOKEN]: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'ds_bt_…',
          description:
            'A short-lived token for a web page, from `POST /v1/tokens`. It can use some documents only.',
        },
      },
    },
  };
}

function limitsTable(): string {
  const rows = Object.entries(PLAN_LIMITS).map(([plan, limits]) => [
    plan.charAt(0).toUpperCase() + plan.slice(1),
    ...WINDOWS.map((window) => limits[window]?.toLocaleString('en') ?? 'unlimited'),
  ]);
  return table(
    ['Plan', ...WINDOWS.map((window) => `Requests per ${window}`)],
    [...rows, ['Enterprise', 'custom', 'custom', 'custom']],
  );
}

function scopesTable(): string {
  return table(
    ['Scope', 'Allows the key to'],
    SCOPES.map((scope) => [`\`${scope}\``, SCOPE_MEANINGS[scope]]),
  );
}

function quotasTable(): string {
  const rows = PLANS.map((plan) => [
    plan.charAt(0).toUpperCase() + plan.slice(1),
    ...QUOTAS.map((quota) => quotaInWords(quota, PLAN_QUOTAS[plan][quota])),
  ]);
  return table(['Plan', ...QUOTAS.map((quota) => QUOTA_HEADINGS[quota])], rows);
}

function quotaInWords(quota: Quota, limit: number | null): string {
  if (limit === null) return 'unlimited';
  if (quota !== 'storageBytes') return limit.toLocaleString('en');
  const gib = limit / 1024 ** 3;
  return gib < 1 ? `${String(limit / 1024 ** 2)} MiB` : `${String(gib)} GiB`;
}

function errorsTable(): string {
  const statuses = Object.values(ERROR_STATUS);
  return table(
    ['Code', 'HTTP status'],
    ERROR_CODES.map((code) => [
      `\`${code}\``,
      statuses
        .filter((entry) => entry.code === code)
        .map(({ status }) => String(status))
        .join(', '),
    ]),
  );
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
