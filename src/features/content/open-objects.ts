import type { ApiPropertyOptions } from '@nestjs/swagger';
import { KEPT_TEXT } from '../../platform/openapi/property-decorators.js';

/** Most UTF-8 bytes of their JSON. */
export const MAX_METADATA_BYTES = 16 * 1024;
export const MAX_AI_SETTINGS_BYTES = 4 * 1024;
/** Levels an open object may have, itself the first. */
export const MAX_DEPTH = 10;

/** Of a string inside an object of so many bytes: it cannot be longer. */
const text = (maxLength: number) => ({ type: 'string' as const, maxLength, pattern: KEPT_TEXT });

const describe = (maxBytes: number) =>
  `Open object, returned exactly as sent, with any further keys. At most ${String(maxBytes / 1024)} KiB and ${String(MAX_DEPTH)} levels.`;

/** The schema of `metadata`: an open object whose known keys have a type. */
export const METADATA: ApiPropertyOptions = {
  title: 'Metadata',
  type: 'object',
  additionalProperties: true,
  description: describe(MAX_METADATA_BYTES),
  properties: {
    // Each item takes three bytes at least: two quotes and a comma.
    tags: {
      type: 'array',
      maxItems: Math.floor(MAX_METADATA_BYTES / 3),
      items: text(MAX_METADATA_BYTES),
    },
    department: text(MAX_METADATA_BYTES),
    project: text(MAX_METADATA_BYTES),
  },
  example: { tags: ['finance', 'q3'], department: 'Sales', project: 'Apollo' },
};

/** The schema of `aiSettings`: likewise. */
export const AI_SETTINGS: ApiPropertyOptions = {
  title: 'AiSettings',
  type: 'object',
  additionalProperties: true,
  description: describe(MAX_AI_SETTINGS_BYTES),
  properties: {
    autoEnhance: { type: 'boolean' },
    suggestionLevel: text(MAX_AI_SETTINGS_BYTES),
    language: text(MAX_AI_SETTINGS_BYTES),
  },
  example: { autoEnhance: false, suggestionLevel: 'moderate', language: 'en' },
};

/** What a merge patch may say of an open object: null for a key removes it. */
export const METADATA_PATCH: ApiPropertyOptions = {
  type: 'object',
  nullable: true,
  additionalProperties: true,
  description:
    'Merged into what is there: null removes a key, what is not named stays. Null empties it.',
  example: { tags: ['finance', 'q3', 'final'], project: null },
};

export const AI_SETTINGS_PATCH: ApiPropertyOptions = {
  ...METADATA_PATCH,
  example: { autoEnhance: true },
};
