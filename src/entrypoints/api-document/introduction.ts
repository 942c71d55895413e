import type { OpenAPIObject } from '@nestjs/swagger';
import { PLANS, WINDOWS } from '../../features/access/auth/plan.js';
import { SCOPE_MEANINGS, SCOPES } from '../../features/access/auth/scopes.js';
import { DEFAULT_BODY_LIMIT } from '../../platform/config/environment.js';
import { ERROR_STATUS } from '../../platform/http/envelope/envelope.js';
import { ERROR_CODES } from '../../platform/basics/errors/app-error.js';
import { PLAN_LIMITS } from '../../features/access/rate-limit/plan-limits.js';
import { PLAN_QUOTAS, QUOTAS, type Quota } from '../../features/usage/plan-quotas.js';
import { BEARER_KEY } from './complete-operation.js';

const QUOTA_HEADINGS: Readonly<Record<Quota, string>> = {
  documents: 'Documents',
  storageBytes: 'Storage',
  webhooks: 'Webhooks',
  keys: 'Active keys',
  members: 'Members',
  analysesPerDay: 'Analyses per day',
  modelTokensPerDay: 'Model tokens per day',
};

const DESCRIPTION = `Create documents, list them, and tell other systems about them.

## Requests

All paths of the API begin with \`/v1\`. A body is a JSON object in UTF-8, sent with \`Content-Type: application/json\`,
of at most ${String(DEFAULT_BODY_LIMIT / 1024 ** 2)} MiB unless the operator says otherwise. A body or query field that is not known is refused, with the
nearest known name. Text with U+0000 or half of a surrogate pair is refused.

## Answers

Every answer is an envelope: \`{"success": true, "data": …, "meta": {…}}\` or
\`{"success": false, "error": {…}, "meta": {…}}\`. \`meta.requestId\` is in the header \`X-Request-Id\` too. Two paths answer
without it: \`/v1/openapi.json\` is this document itself, and \`/metrics\` is in the format of Prometheus.

An \`id\` is a prefix that tells its kind and 26 characters, such as \`doc_01kam3k0v5e0rbk1y2c9q4w7zt\`. Ids of one kind
sort by the time they were made. Times are ISO 8601 in UTC. In requests they may
have another zone, wherever they stand; \`24:00:00\` is the end of its day, and a leap second (\`23:59:60\` in UTC) is the
second after it.

## Authentication

Send an API key in the header \`Authorization: Bearer <API_KEY>\`. A key belongs to an account and has scopes: each
operation names the one it needs. A revoked key is refused at once.

${scopesTable()}

## Limits

Every request with a valid key counts for its account, whatever the answer; one that is refused with 429 because a
window is full consumes nothing. A window starts at its first request.

${limitsTable()}

On every answer to a request with a valid key \`X-RateLimit-Limit\`, \`-Remaining\` and \`-Reset\` tell the window with the
fewest requests left, \`RateLimit\` and \`RateLimit-Policy\` all of them. Every answer of every kind has \`X-Request-Id\`.
\`components.headers\` describes them all; at the operations stands \`RateLimit\` for the rest.

Request bodies of more than 64 KiB share the memory of the service: an account, and an address, may have about 32 MiB
of them under way at once (429), and all together twice as much (503). A body must keep coming (408), and an answer must
be read.

## Quotas

What an account may have depends on its plan too. More is refused with 403 \`FORBIDDEN\` and
\`details: {quota, limit, used, plan}\`; nothing is deleted when a plan becomes smaller. \`GET /v1/usage\` tells what is used.

${quotasTable()}

Documents and their bytes count in the trash too: to make room, delete them for good. Bytes are those of title, content,
metadata and aiSettings in UTF-8; old versions and templates do not count.

## Errors

${errorsTable()}

The set of codes is closed; finer cases differ in the HTTP status. \`error.message\` is for people, \`error.details\` for
programs.

The operations list the failures that depend on them. Any path can also answer:

- 405 if it does not have the method; \`Allow\` lists the methods it has.
- 408 if the request arrives too slowly.
- 417 if \`Expect\` cannot be met.
- 431 if the headers or the address are too large.

## Lists

Every list takes \`page\`, \`limit\`, \`sort\` and \`order\`, and answers an exact \`total\`. To walk through a whole list, follow
\`meta.pagination.nextCursor\` with \`cursor\`: that costs the same at any depth, and what is inserted meanwhile shifts
nothing.

## Webhooks

Every event is delivered at least once. Each attempt carries the same body and a new signature. Answer 2xx within 15 seconds.

## Versions

\`/v1\` only grows: expect further fields in answers, and ignore the ones you do not know. Whatever is to go is announced
at least 12 months ahead by the headers \`Deprecation\` (RFC 9745), \`Sunset\` (RFC 8594) and \`Link\`.`;

const TAGS = [
  { name: 'documents', description: 'Texts with metadata and AI settings.' },
  {
    name: 'analysis',
    description: 'What is found in texts, what is proposed for them, and the rules of the account.',
  },
  { name: 'templates', description: 'Texts with variables that documents are made from.' },
  { name: 'webhooks', description: 'Addresses of other systems that are told what happens.' },
  { name: 'events', description: 'What has happened in the account.' },
  { name: 'keys', description: 'The API keys of the account.' },
  { name: 'jobs', description: 'Work in the background, and what it has made.' },
  {
    name: 'account',
    description: 'Who asks, and the account as a whole: its limits and its archive.',
  },
  { name: 'audit', description: 'Who did what to which resource, and from where.' },
  {
    name: 'requests',
    description: 'The requests made with the keys of the account, for some days.',
  },
  { name: 'usage', description: 'What the account has, and what it may.' },
  {
    name: 'service',
    description: 'The service itself: its health, its metrics and this document.',
  },
];

/** Everything of the document that is not an operation or a schema. */
export function introduction(): Omit<OpenAPIObject, 'paths'> {
  const server = {
    url: '/',
    description:
      'The service that this document was read from, be it in production, staging or local.',
    'x-internal': false,
  };
  const license = { name: 'MIT', identifier: 'MIT' };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Document Service API',
      version: '1.0.0',
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
          description: `An API key. Scopes: ${SCOPES.map((scope) => `\`${scope}\``).join(', ')}; the last one grants everything.`,
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
    ['Scope', 'What the key may do'],
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
