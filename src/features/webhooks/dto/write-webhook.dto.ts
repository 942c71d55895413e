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
      'Where events are posted to: https, a public host, no credentials and no fragment.',
    example: 'https://example.com/webhooks',
  })
  url: string;

  @EventsField({
    description:
      'Names of events; `document.*` is all of documents, `*` all there are, also later ones.',
    example: ['document.created', 'document.updated'],
  })
  events: string[];

  @SecretField({
    description:
      'Signs the deliveries. Printable ASCII, at least 24 characters advised; what follows `whsec_` must be base64. ' +
      'Left out, the service makes one and shows it in the answer.',
    example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  })
  secret?: string;

  @DescriptionField()
  description?: string | null;

  @Field.object(HEADERS, {
    optional: true,
    nullable: true,
    description:
      'Headers of your own, sent with every delivery, such as a token of the receiver: at most 20, together 4 KiB. They are kept encrypted, and no answer shows them.',
    example: { Authorization: 'Bearer 3rMv8kTq2LxWn5Zc' },
    check: headerProblems,
  })
  headers?: Record<string, string> | null;

  @Field.object(WebhookFilterDto, {
    optional: true,
    nullable: true,
    description:
      'Only events of documents that have one of the values of each kind that is named, before or after the change. Events that are about no document, such as `webhook.disabled`, come whatever it says.',
    check: filterProblems,
  })
  filter?: WebhookFilter | null;

  @Field.oneOf(PAYLOADS, {
    optional: true,
    default: 'full',
    description: '`full` sends the whole resource, `thin` its id, version and status.',
  })
  payload: 'full' | 'thin' = 'full';
}

type Example = { summary: string; value: Partial<RegisterWebhookDto> };

/** Bodies of `POST /v1/webhooks` that the API document shows. */
export const REGISTER_WEBHOOK_EXAMPLES: Readonly<Record<string, Example>> = {
  ownSecret: {
    summary: 'With a secret of your own',
    value: {
      url: 'https://example.com/webhooks',
      events: ['document.created', 'document.updated'],
      secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
    },
  },
  madeSecret: {
    summary: 'With a secret that the service makes, for everything about documents',
    value: {
      url: 'https://example.com/webhooks',
      events: ['document.*'],
      description: 'Search index',
    },
  },
  filtered: {
    summary: 'For the reports of one project, with a token for the receiver',
    value: {
      url: 'https://example.com/webhooks',
      events: ['document.published'],
      headers: { Authorization: 'Bearer 3rMv8kTq2LxWn5Zc' },
      filter: { types: ['report'], projects: ['apollo'] },
    },
  },
  thin: {
    summary: 'Told what changed, without contents',
    value: { url: 'https://example.com/webhooks', events: ['*'], payload: 'thin' },
  },
};

/** What answers carry and nobody can change. */
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
    secret: 'is replaced by POST /v1/webhooks/{id}/rotate-secret, not here',
  };

  @UrlField({
    optional: true,
    description: 'Checked as at the registration. A new one is tried at once.',
    example: 'https://example.com/webhooks/v2',
  })
  url?: string;

  @EventsField({
    optional: true,
    description: 'In place of all that were named before. Counts for events from now on.',
    example: ['document.*'],
  })
  events?: string[];

  @DescriptionField('Null removes it.')
  description?: string | null;

  @Field.object(HEADERS_PATCH, {
    optional: true,
    nullable: true,
    description:
      'A value takes the place of what the header was, null removes it, null for all removes all; what answers show of a value leaves it. A `url` at another origin needs each header anew.',
    example: { Authorization: 'Bearer Jd7sPq1VbYh9Rt4K', 'X-Old': null },
    check: headerPatchProblems,
  })
  headers?: Record<string, string | null> | null;

  @Field.object(PatchWebhookFilterDto, {
    optional: true,
    nullable: true,
    description:
      'As at the registration; a kind takes the place of what it was, null removes it, null for all removes the filter. Counts for events from now on.',
    check: filterProblems,
  })
  filter?: FilterPatch;

  @Field.oneOf(PAYLOADS, {
    optional: true,
    description: 'Counts for events from now on; what is owed already is sent in the form it had.',
    example: 'thin',
  })
  payload?: 'full' | 'thin';

  @Field.oneOf(STATUSES, {
    optional: true,
    description:
      '`disabled` stops sending within a second and cancels what is owed; `active` starts anew with later events.',
    example: 'active',
  })
  status?: 'active' | 'disabled';
}

/** The body of `POST /v1/webhooks/{id}/rotate-secret`. */
export class RotateSecretDto {
  @SecretField({
    description: 'As at the registration. Left out, the service makes one and shows it this once.',
    example: 'whsec_ZGV0ZXJtaW5pc3RpYyBleGFtcGxlcw==',
  })
  secret?: string;
}

/** The answer to a rotation. */
export class RotatedSecretDto extends RegisteredWebhookDto {
  @Field.time({
    nullable: true,
    description: 'Until then the secret before signs too; null when none does.',
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
    description: 'Only those of this status.',
    example: ['active'],
  })
  status?: ('active' | 'disabled')[];

  @Filter.several(textSchema(MAX_URL_LENGTH), {
    description:
      'Only those whose URL has this text in it, in any case: a host, a path, or all of it. Several by repeating it; any of them.',
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
