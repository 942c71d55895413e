import { Field, AcceptsFields } from '../../../platform/openapi/field.js';
import { filterProblems, type FilterPatch } from '../webhook-filter.js';
import { headerPatchProblems } from '../webhook-headers.js';
import {
  PAYLOADS,
  STATUSES,
  PatchWebhookFilterDto,
  UrlField,
  EventsField,
  DescriptionField,
  HEADERS,
} from './webhook-fields.js';

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
