import { Field } from '../../platform/openapi/field.js';
import type { SchemaObject } from '@nestjs/swagger';
import { textSchema } from '../../platform/openapi/schemas.js';

/** Maximum size of the JSON text, in UTF-8 bytes. */
export const MAX_METADATA_BYTES = 16 * 1024;
export const MAX_AI_SETTINGS_BYTES = 4 * 1024;
/** Maximum nesting depth of an open object, including the object itself. */
export const MAX_DEPTH = 10;

const describe = (maxBytes: number) =>
  `Open object, returned exactly as sent, with any further keys. At most ${String(maxBytes / 1024)} KiB and ${String(MAX_DEPTH)} levels.`;

/** The schema of `metadata`: an open object whose known keys have a type. */
export const METADATA: SchemaObject = {
  title: 'Metadata',
  type: 'object',
  additionalProperties: true,
  description: describe(MAX_METADATA_BYTES),
  properties: {
    // Each item takes at least three bytes: two quotes and a comma.
    tags: {
      type: 'array',
      maxItems: Math.floor(MAX_METADATA_BYTES / 3),
      items: textSchema(MAX_METADATA_BYTES),
    },
    department: textSchema(MAX_METADATA_BYTES),
    project: textSchema(MAX_METADATA_BYTES),
  },
  example: { tags: ['finance', 'q3'], department: 'Sales', project: 'Apollo' },
};

/** The schema of `aiSettings`: likewise. */
export const AI_SETTINGS: SchemaObject = {
  title: 'AiSettings',
  type: 'object',
  additionalProperties: true,
  description: describe(MAX_AI_SETTINGS_BYTES),
  properties: {
    autoEnhance: { type: 'boolean' },
    suggestionLevel: textSchema(MAX_AI_SETTINGS_BYTES),
    language: textSchema(MAX_AI_SETTINGS_BYTES),
  },
  example: { autoEnhance: false, suggestionLevel: 'moderate', language: 'en' },
};

/** A merge patch of an open object. Validation of the merged object follows. */
const PatchedObjectField = (example: object) =>
  Field.object(
    { additionalProperties: true },
    {
      optional: true,
      nullable: true,
      description:
        'Merged into what is there: null removes a key, what is not named stays. Null empties it.',
      example,
      issue: 'must be an object, or null to empty it',
    },
  );

export const MetadataPatchField = () =>
  PatchedObjectField({ tags: ['finance', 'q3', 'final'], project: null });

export const AiSettingsPatchField = () => PatchedObjectField({ autoEnhance: true });
