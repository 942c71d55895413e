import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import {
  AcceptsFields,
  CheckedBy,
  IfSent,
} from '../../../platform/http/envelope/field-decorators.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { eventProblems, MAX_EVENTS, SELECTABLE_EVENTS } from '../../events/catalogue/catalogue.js';
import { ApiText } from '../../../platform/openapi/property-decorators.js';
import { registeredUrlProblems } from '../settings/local-receivers.js';
import { MAX_URL_LENGTH } from '../settings/receiver-url.js';
import { filterProblems, type FilterPatch } from '../settings/webhook-filter.js';
import { headerPatchProblems } from '../settings/webhook-headers.js';
import {
  HEADERS_SCHEMA,
  IsDescription,
  IsEventSelection,
  IsReceiverUrl,
  MAX_DESCRIPTION_CHARACTERS,
  PAYLOADS,
  STATUSES,
  PatchWebhookFilterDto,
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

const secretProblems = (): FieldProblem[] => [
  { field: 'secret', issue: 'is replaced by POST /v1/webhooks/{id}/rotate-secret, not here' },
];

/** The body of `PATCH /v1/webhooks/{id}`: a JSON Merge Patch (RFC 7396). */
@AcceptsFields(['secret'], secretProblems)
@AcceptsFields(READ_ONLY)
export class PatchWebhookDto {
  @ApiPropertyOptional({
    format: 'uri',
    maxLength: MAX_URL_LENGTH,
    description: 'Checked as at the registration. A new one is tried at once.',
    example: 'https://example.com/webhooks/v2',
  })
  @IfSent()
  @IsReceiverUrl()
  @CheckedBy(registeredUrlProblems)
  url?: string;

  @ApiPropertyOptional({
    enum: SELECTABLE_EVENTS,
    isArray: true,
    minItems: 1,
    maxItems: MAX_EVENTS,
    description: 'In place of all that were named before. Counts for events from now on.',
    example: ['document.*'],
  })
  @IfSent()
  @IsEventSelection()
  @CheckedBy(eventProblems)
  events?: string[];

  @ApiText({
    required: false,
    nullable: true,
    maxLength: MAX_DESCRIPTION_CHARACTERS,
    description: 'Null removes it.',
    example: 'Search index',
  })
  @IsOptional()
  @IsDescription()
  description?: string | null;

  @ApiPropertyOptional({
    ...HEADERS_SCHEMA,
    additionalProperties: { ...HEADERS_SCHEMA.additionalProperties, nullable: true },
    nullable: true,
    description:
      'A value takes the place of what the header was, null removes it, null for all removes all; what answers show of a value leaves it. A `url` at another origin needs each header anew.',
    example: { Authorization: 'Bearer Jd7sPq1VbYh9Rt4K', 'X-Old': null },
  })
  @CheckedBy(headerPatchProblems)
  headers?: Record<string, string | null> | null;

  @ApiPropertyOptional({
    type: PatchWebhookFilterDto,
    nullable: true,
    description:
      'As at the registration; a kind takes the place of what it was, null removes it, null for all removes the filter. Counts for events from now on.',
  })
  @CheckedBy(filterProblems)
  filter?: FilterPatch;

  @ApiPropertyOptional({
    enum: PAYLOADS,
    description: 'Counts for events from now on; what is owed already is sent in the form it had.',
    example: 'thin',
  })
  @IfSent()
  @IsIn(PAYLOADS, { message: 'must be full or thin' })
  payload?: 'full' | 'thin';

  @ApiPropertyOptional({
    enum: STATUSES,
    description:
      '`disabled` stops sending within a second and cancels what is owed; `active` starts anew with later events.',
    example: 'active',
  })
  @IfSent()
  @IsIn(STATUSES, { message: 'must be active or disabled' })
  status?: 'active' | 'disabled';
}
