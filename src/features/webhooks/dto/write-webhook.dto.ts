import { Field, AcceptsFields } from '../../../platform/openapi/field.js';
import {
  filterProblems,
  type WebhookFilter,
  type FilterPatch,
} from '../settings/webhook-filter.js';
import { headerProblems, headerPatchProblems } from '../settings/webhook-headers.js';
import {
  PAYLOADS,
  WebhookFilterDto,
  UrlField,
  EventsField,
  SecretField,
  DescriptionField,
  HEADERS,
  STATUSES,
  PatchWebhookFilterDto,
} from './webhook-fields.js';
import { RegisteredWebhookDto } from './webhook.dto.js';
import { Filter, MAX_VALUES } from '../../../platform/openapi/filter.js';
import { textSchema } from '../../../platform/openapi/schemas.js';
import { PageQueryDto } from '../../../platform/http/pagination/page-query.dto.js';
import { WEBHOOK_SORTS, type WebhookSort } from '../webhooks.repository.js';
import { MAX_URL_LENGTH } from '../settings/receiver-url.js';

/** The body of `POST /v1/webhooks`. */
export class RegisterWebhookDto {
  @UrlField({
    description:
      'The URL that receives events: https, a public host, no credentials and no fragment.',
    example: 'https://example.com/webhooks',
  })
  url: string;

  @EventsField({
    description:
      'Event types. `document.*` selects all document events, `*` all events, including types added later.',
    example: ['document.created', 'document.updated'],
  })
  events: string[];

  @SecretField({
    description:
      'Signs the deliveries. Printable ASCII, preferably at least 24 characters. The part after `whsec_` must be base64. ' +
      'If omitted, the response contains a generated one.',
    example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  })
  secret?: string;

  @DescriptionField()
  description?: string | null;

  @Field.object(HEADERS, {
    optional: true,
    nullable: true,
    description:
      'Custom headers to send with every delivery, such as a token for the receiver: at most 20, and 4 KiB in total. They are stored encrypted and never returned.',
    example: { Authorization: 'Bearer 3rMv8kTq2LxWn5Zc' },
    check: headerProblems,
  })
  headers?: Record<string, string> | null;

  @Field.object(WebhookFilterDto, {
    optional: true,
    nullable: true,
    description:
      'Only events of documents that match one value of each filter, before or after the change. Events about other resources, such as `webhook.disabled`, are always sent.',
    check: filterProblems,
  })
  filter?: WebhookFilter | null;

  @Field.oneOf(PAYLOADS, {
    optional: true,
    default: 'full',
    description: '`full` sends the whole resource, `thin` only its ID, version and status.',
  })
  payload: 'full' | 'thin' = 'full';
}

type Example = { summary: string; value: Partial<RegisterWebhookDto> };

/** Example bodies of `POST /v1/webhooks` for the API document. */
export const REGISTER_WEBHOOK_EXAMPLES: Readonly<Record<string, Example>> = {
  ownSecret: {
    summary: 'With your own secret',
    value: {
      url: 'https://example.com/webhooks',
      events: ['document.created', 'document.updated'],
      secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
    },
  },
  madeSecret: {
    summary: 'With a generated secret, for all document events',
    value: {
      url: 'https://example.com/webhooks',
      events: ['document.*'],
      description: 'Search index',
    },
  },
  filtered: {
    summary: 'For reports of one project, with a token for the receiver',
    value: {
      url: 'https://example.com/webhooks',
      events: ['document.published'],
      headers: { Authorization: 'Bearer 3rMv8kTq2LxWn5Zc' },
      filter: { types: ['report'], projects: ['apollo'] },
    },
  },
  thin: {
    summary: 'Thin events, without contents',
    value: { url: 'https://example.com/webhooks', events: ['*'], payload: 'thin' },
  },
};

/** The read-only fields of responses. */
const READ_ONLY = [
  'id',
  'secretPreview',
  'disabledReason',
  'disabledAt',
  'failingSince',
  'nextProbeAt',
  'lastDeliveryAt',
  'createdAt',
  'updatedAt',
];

const HEADERS_PATCH = {
  ...HEADERS,
  additionalProperties: { ...HEADERS.additionalProperties, nullable: true },
};

/** The body of `PATCH /v1/webhooks/{id}`: a JSON Merge Patch (RFC 7396). */
@AcceptsFields(READ_ONLY)
export class PatchWebhookDto {
  static readonly elsewhere = {
    secret: 'cannot be changed here; use POST /v1/webhooks/{id}/rotate-secret',
  };

  @UrlField({
    optional: true,
    description:
      'The same rules as at registration. Deliveries to a new URL are attempted immediately.',
    example: 'https://example.com/webhooks/v2',
  })
  url?: string;

  @EventsField({
    optional: true,
    description: 'Replaces the current event types. Applies to new events.',
    example: ['document.*'],
  })
  events?: string[];

  @DescriptionField('Null removes it.')
  description?: string | null;

  @Field.object(HEADERS_PATCH, {
    optional: true,
    nullable: true,
    description:
      'A value replaces the header, null removes it; null instead of the object removes all. A masked value leaves the header unchanged. If the `url` moves to another origin, send all headers again.',
    example: { Authorization: 'Bearer Jd7sPq1VbYh9Rt4K', 'X-Old': null },
    check: headerPatchProblems,
  })
  headers?: Record<string, string | null> | null;

  @Field.object(PatchWebhookFilterDto, {
    optional: true,
    nullable: true,
    description:
      'The same rules as at registration. A kind replaces its current values, null removes it; `metadata` is merged path by path. Null instead of the object removes the filter. Applies to new events.',
    check: filterProblems,
  })
  filter?: FilterPatch;

  @Field.oneOf(PAYLOADS, {
    optional: true,
    description: 'Applies to new events. Pending deliveries keep their form.',
    example: 'thin',
  })
  payload?: 'full' | 'thin';

  @Field.oneOf(STATUSES, {
    optional: true,
    description:
      '`disabled` stops deliveries within a second and cancels pending ones. `active` resumes with new events.',
    example: 'active',
  })
  status?: 'active' | 'disabled';
}

/** The body of `POST /v1/webhooks/{id}/rotate-secret`. */
export class RotateSecretDto {
  @SecretField({
    description:
      'The same rules as at registration. If omitted, the service generates one, which is shown only once.',
    example: 'whsec_ZGV0ZXJtaW5pc3RpYyBleGFtcGxlcw==',
  })
  secret?: string;
}

/** The response to a rotation. */
export class RotatedSecretDto extends RegisteredWebhookDto {
  @Field.time({
    nullable: true,
    description: 'The previous secret also signs until this time. Null without a previous secret.',
    example: '2026-11-21T08:00:00.000Z',
  })
  previousSecretExpiresAt: string | null;
}

/** The query of `GET /v1/webhooks`. */
export class ListWebhooksDto extends PageQueryDto {
  @Filter.sort(WEBHOOK_SORTS, {
    description: 'Field to sort by.',
    example: 'created_at',
    default: 'created_at',
  })
  sort: WebhookSort = 'created_at';

  @Filter.commaSeparated(STATUSES, {
    max: STATUSES.length,
    description: 'Only webhooks with this status.',
    example: ['active'],
  })
  status?: ('active' | 'disabled')[];

  @Filter.several(textSchema(MAX_URL_LENGTH), {
    description:
      'Only webhooks whose URL contains this text, in any case. Repeat it to match any of several.',
    example: ['example.com'],
    check: urlsProblem,
  })
  url?: string[];
}

function urlsProblem(value: unknown): string | undefined {
  const urls = value as unknown[];
  if (urls.length > MAX_VALUES) return `must not be given more than ${String(MAX_VALUES)} times`;
  const isText = (url: unknown) =>
    typeof url === 'string' &&
    url !== '' &&
    url.length <= MAX_URL_LENGTH &&
    !url.includes('\0') &&
    url.isWellFormed();
  return urls.every(isText)
    ? undefined
    : `must be part of a URL, of 1 to ${String(MAX_URL_LENGTH)} characters`;
}
