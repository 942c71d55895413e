import type { SchemaObject } from '@nestjs/swagger';
import { maxLength } from 'class-validator';
import { DOCUMENT_TYPES } from '../../content/document-type.js';
import { eventProblems, MAX_EVENTS, SELECTABLE_EVENTS } from '../../events/catalogue/catalogue.js';
import { configFor, Field, type FieldOptions } from '../../../platform/openapi/field.js';
import { textSchema } from '../../../platform/openapi/schemas.js';
import { registeredUrlProblems } from '../settings/local-receivers.js';
import { MAX_URL_LENGTH } from '../settings/receiver-url.js';
import {
  CHANGED_FIELDS,
  EVENT_STATUSES,
  MAX_FILTER_CHARACTERS,
  METADATA_PREFIX,
} from '../../events/event-states.js';
import { MAX_FILTER_PATHS, MAX_FILTER_VALUES } from '../settings/webhook-filter.js';
import { MAX_HEADERS, MAX_HEADERS_BYTES } from '../settings/webhook-headers.js';
import { MAX_SECRET_LENGTH, PRINTABLE_ASCII, WHSEC_IS_BASE64 } from '../signing/webhook-secret.js';

export const PAYLOADS = ['full', 'thin'] as const;
export const STATUSES = ['active', 'disabled'] as const;

/** The URL of a receiver. */
export const UrlField = (options: FieldOptions) =>
  Field.uri({
    max: MAX_URL_LENGTH,
    check: (url, dto) => {
      if (typeof url !== 'string') return 'must be a string';
      return url.length > MAX_URL_LENGTH
        ? `must not be longer than ${String(MAX_URL_LENGTH)} characters`
        : registeredUrlProblems(url, configFor(dto));
    },
    ...options,
  });

/** The events that a webhook receives. */
export const EventsField = (options: FieldOptions) =>
  Field.list(SELECTABLE_EVENTS, { min: 1, max: MAX_EVENTS, check: selectionProblems, ...options });

function selectionProblems(events: unknown) {
  if (!Array.isArray(events))
    return 'must be an array of event names, such as ["document.created"]';
  if (events.length === 0) return 'must not be empty; name an event, such as document.created';
  return events.length > MAX_EVENTS
    ? `must not have more than ${String(MAX_EVENTS)} items`
    : eventProblems(events);
}

/** A secret that the client chose. */
export const SecretField = (options: FieldOptions) =>
  Field.text({
    optional: true,
    min: 1,
    max: MAX_SECRET_LENGTH,
    pattern: '^[\\x20-\\x7e]*$',
    writeOnly: true,
    check: secretIssue,
    ...options,
  });

function secretIssue(secret: unknown): string | undefined {
  if (typeof secret !== 'string') return 'must be a string; leave it out to get one';
  if (secret === '' || !maxLength(secret, MAX_SECRET_LENGTH)) {
    return `must have 1 to ${String(MAX_SECRET_LENGTH)} characters; leave it out to get one`;
  }
  if (!PRINTABLE_ASCII.test(secret)) {
    return 'must hold only letters, digits, punctuation and spaces of ASCII (0x20 to 0x7e)';
  }
  return WHSEC_IS_BASE64.test(secret)
    ? undefined
    : 'must have base64 of one byte or more after whsec_, with its padding; correct it, or use a secret without that prefix';
}

/** Name that people give the webhook. */
export const DescriptionField = (description?: string) =>
  Field.text({
    optional: true,
    nullable: true,
    max: 500,
    ...(description !== undefined && { description }),
    example: 'Search index',
  });

/** Schema of the custom headers. */
export const HEADERS = {
  maxProperties: MAX_HEADERS,
  additionalProperties: textSchema(MAX_HEADERS_BYTES),
};

const FILTERS = {
  types: {
    items: DOCUMENT_TYPES,
    description: 'Documents of any of these types.',
    example: ['report'],
  },
  tags: {
    items: { ...textSchema(MAX_FILTER_CHARACTERS), minLength: 1 },
    description: 'Documents with any of these in `metadata.tags`.',
    example: ['finance', 'q3'],
  },
  projects: {
    items: { ...textSchema(MAX_FILTER_CHARACTERS), minLength: 1 },
    description: 'Documents with any of these as `metadata.project`.',
    example: ['apollo'],
  },
  statuses: {
    items: EVENT_STATUSES,
    description: 'Documents with any of these statuses.',
    example: ['published'],
  },
  changes: {
    items: {
      type: 'string',
      maxLength: METADATA_PREFIX.length + MAX_FILTER_CHARACTERS,
      pattern: `^(${CHANGED_FIELDS.join('|')}|metadata\\..+)$`,
    },
    description:
      'Changes of any of these fields, or of a metadata value or object by its dotted path. Events that name no changes, such as creations and deletions, are sent too.',
    example: ['status', 'metadata.region'],
  },
} as const;

const FilterField = (name: keyof typeof FILTERS, nullable?: true) => {
  const { items, ...options } = FILTERS[name];
  return Field.list(items, {
    optional: true,
    ...(nullable && { nullable }),
    min: 1,
    max: MAX_FILTER_VALUES,
    ...options,
  });
};

const MetadataFilterField = (nullable?: true) =>
  Field.object(
    {
      maxProperties: MAX_FILTER_PATHS,
      additionalProperties: {
        type: nullable ? ['array', 'null'] : 'array',
        items: textSchema(MAX_FILTER_CHARACTERS),
        minItems: 1,
        maxItems: MAX_FILTER_VALUES,
      } as SchemaObject,
    },
    {
      optional: true,
      ...(nullable && { nullable }),
      description:
        'Documents with any of these values at each dotted path below `metadata`, compared as the list of documents does for `metadata[path]`: numbers and booleans as they were sent, the items of lists one by one. Only the first 500 values of a document, at paths and with texts of at most 200 characters, can match.',
      example: { region: ['eu'], 'client.tier': ['gold', 'silver'] },
    },
  );

/** Which documents a webhook receives events about. */
export class WebhookFilterDto {
  @FilterField('types') types?: readonly string[];
  @FilterField('tags') tags?: readonly string[];
  @FilterField('projects') projects?: readonly string[];
  @FilterField('statuses') statuses?: readonly string[];
  @FilterField('changes') changes?: readonly string[];
  @MetadataFilterField() metadata?: Record<string, readonly string[]>;
}

/** A merge patch of the filter. */
export class PatchWebhookFilterDto {
  @FilterField('types', true) types?: readonly string[] | null;
  @FilterField('tags', true) tags?: readonly string[] | null;
  @FilterField('projects', true) projects?: readonly string[] | null;
  @FilterField('statuses', true) statuses?: readonly string[] | null;
  @FilterField('changes', true) changes?: readonly string[] | null;
  @MetadataFilterField(true) metadata?: Record<string, readonly string[] | null> | null;
}
