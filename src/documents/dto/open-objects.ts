import type { ApiPropertyOptions } from '@nestjs/swagger';
import { KEPT_TEXT } from '../../openapi/property-decorators.js';

const METADATA_BYTES = 16 * 1024;
const AI_SETTINGS_BYTES = 4 * 1024;

/** Of a string inside an object of so many bytes: it cannot be longer. */
const text = (maxLength: number) => ({ type: 'string' as const, maxLength, pattern: KEPT_TEXT });

/** The schema of `metadata`: an open object whose known keys have a type. */
export const METADATA: ApiPropertyOptions = {
  type: 'object',
  additionalProperties: true,
  description:
    'Open object, returned exactly as sent, with any further keys. At most 16 KiB and 10 levels.',
  properties: {
    // Each item takes three bytes at least: two quotes and a comma.
    tags: {
      type: 'array',
      maxItems: Math.floor(METADATA_BYTES / 3),
      items: text(METADATA_BYTES),
    },
    department: text(METADATA_BYTES),
    project: text(METADATA_BYTES),
  },
  example: { tags: ['finance', 'q3'], department: 'Sales', project: 'Apollo' },
};

/** The schema of `aiSettings`: likewise. */
export const AI_SETTINGS: ApiPropertyOptions = {
  type: 'object',
  additionalProperties: true,
  description:
    'Open object, returned exactly as sent, with any further keys. At most 4 KiB and 10 levels.',
  properties: {
    autoEnhance: { type: 'boolean' },
    suggestionLevel: text(AI_SETTINGS_BYTES),
    language: text(AI_SETTINGS_BYTES),
  },
  example: { autoEnhance: false, suggestionLevel: 'moderate', language: 'en' },
};
