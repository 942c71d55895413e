import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsString,
  Length,
  Matches,
  MaxLength,
} from 'class-validator';
import { DOCUMENT_TYPES } from '../../content/document-type.js';
import { MAX_EVENTS } from '../../events/catalogue/catalogue.js';
import { KEPT_TEXT } from '../../../platform/openapi/property-decorators.js';
import { MAX_URL_LENGTH } from '../settings/receiver-url.js';
import { MAX_FILTER_CHARACTERS, MAX_FILTER_VALUES } from '../settings/webhook-filter.js';
import { MAX_HEADERS, MAX_HEADERS_BYTES } from '../settings/webhook-headers.js';
import { MAX_SECRET_LENGTH, PRINTABLE_ASCII, WHSEC_IS_BASE64 } from '../signing/webhook-secret.js';

export const MAX_DESCRIPTION_CHARACTERS = 500;

export const PAYLOADS = ['full', 'thin'] as const;
export const STATUSES = ['active', 'disabled'] as const;

// What is checked first stands first: applyDecorators applies them in this order.

/** The address of a receiver; what it leads to is judged by `receiverUrlProblems`. */
export const IsReceiverUrl = () =>
  applyDecorators(
    IsString({ message: 'must be a string' }),
    MaxLength(MAX_URL_LENGTH, {
      message: `must not be longer than ${String(MAX_URL_LENGTH)} characters`,
    }),
  );

/** A list of names of events; the names are judged by `eventProblems`. */
export const IsEventSelection = () =>
  applyDecorators(
    IsArray({ message: 'must be an array of event names, such as ["document.created"]' }),
    ArrayNotEmpty({ message: 'must not be empty; name an event, such as document.created' }),
    ArrayMaxSize(MAX_EVENTS, { message: `must not have more than ${String(MAX_EVENTS)} items` }),
  );

/** A secret that a client chose. */
export const IsOwnSecret = () =>
  applyDecorators(
    IsString({ message: 'must be a string; leave it out to get one' }),
    Length(1, MAX_SECRET_LENGTH, {
      message: `must have 1 to ${String(MAX_SECRET_LENGTH)} characters; leave it out to get one`,
    }),
    Matches(PRINTABLE_ASCII, {
      message: 'must hold only letters, digits, punctuation and spaces of ASCII (0x20 to 0x7e)',
    }),
    Matches(WHSEC_IS_BASE64, {
      message:
        'must have base64 of one byte or more after whsec_, with its padding; correct it, or use a secret without that prefix',
    }),
  );

/** What a person calls the webhook. */
export const IsDescription = () =>
  applyDecorators(
    IsString({ message: 'must be a string or null' }),
    MaxLength(MAX_DESCRIPTION_CHARACTERS, {
      message: `must not be longer than ${String(MAX_DESCRIPTION_CHARACTERS)} characters`,
    }),
  );

/** Headers of the webhook's own, in the API document. */
export const HEADERS_SCHEMA = {
  type: 'object' as const,
  maxProperties: MAX_HEADERS,
  additionalProperties: {
    type: 'string' as const,
    maxLength: MAX_HEADERS_BYTES,
    pattern: KEPT_TEXT,
  },
};

const KIND = { type: 'array' as const, minItems: 1, maxItems: MAX_FILTER_VALUES };
const TEXT = {
  type: 'string' as const,
  minLength: 1,
  maxLength: MAX_FILTER_CHARACTERS,
  pattern: KEPT_TEXT,
};

const TYPES = {
  ...KIND,
  items: { type: 'string' as const, enum: [...DOCUMENT_TYPES] },
  description: 'Documents of any of these types.',
  example: ['report'],
};
const TAGS = {
  ...KIND,
  items: TEXT,
  description: 'Documents with any of these in `metadata.tags`.',
  example: ['finance', 'q3'],
};
const PROJECTS = {
  ...KIND,
  items: TEXT,
  description: 'Documents with any of these as `metadata.project`.',
  example: ['apollo'],
};

/** Which documents a webhook hears of. */
export class WebhookFilterDto {
  @ApiPropertyOptional(TYPES)
  types?: readonly string[];

  @ApiPropertyOptional(TAGS)
  tags?: readonly string[];

  @ApiPropertyOptional(PROJECTS)
  projects?: readonly string[];
}

/** A change of it. */
export class PatchWebhookFilterDto {
  @ApiPropertyOptional({ ...TYPES, nullable: true })
  types?: readonly string[] | null;

  @ApiPropertyOptional({ ...TAGS, nullable: true })
  tags?: readonly string[] | null;

  @ApiPropertyOptional({ ...PROJECTS, nullable: true })
  projects?: readonly string[] | null;
}
