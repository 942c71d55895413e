import { Field } from '../../../platform/openapi/field.js';
import { areIds } from '../../../platform/openapi/filter.js';
import { idSchema, sampleId, textSchema } from '../../../platform/openapi/schemas.js';
import { CollectionsField } from '../dto/write-key.dto.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import type { Scope } from '../../auth/scopes.js';

/** The scopes that a browser token can have. */
const BROWSER_SCOPES = [
  'documents:read',
  'documents:read_published',
  'documents:suggest',
  'documents:write',
] as const satisfies readonly Scope[];
export type BrowserScope = (typeof BROWSER_SCOPES)[number];

const MAX_IDS = 100;
const MAX_TAGS = 20;
const MAX_TAG_CHARACTERS = 500;
const MAX_LABEL_CHARACTERS = 100;
const MIN_SECONDS = 60;
const MAX_SECONDS = 86_400;
const DEFAULT_SECONDS = 3_600;
const MAX_MINUTE_LIMIT = 1_000_000;

const IDS = {
  optional: true,
  min: 1,
  max: MAX_IDS,
  description: 'These documents.',
  example: [sampleId('document')],
} as const;
const TAGS = {
  optional: true,
  min: 1,
  max: MAX_TAGS,
  description: 'Documents that have at least one of these tags in `metadata.tags`.',
  example: ['customer-42'],
} as const;
const LABEL = {
  max: MAX_LABEL_CHARACTERS,
  description: 'Shown in the audit log and the request log, such as your ID of the visitor.',
  example: 'visitor-4711',
} as const;

/** The documents of a token. */
export class TokenDocumentsDto {
  @Field.list(idSchema('document'), { ...IDS, check: idsProblem })
  ids?: string[];

  @Field.list(textSchema(MAX_TAG_CHARACTERS), { ...TAGS, check: tagsProblems })
  tags?: string[];
}

/** The body of `POST /v1/tokens`. */
export class CreateTokenDto {
  @Field.list(BROWSER_SCOPES, {
    min: 1,
    max: BROWSER_SCOPES.length,
    unique: 'must not repeat a scope',
    description: 'What the token can do. Only scopes that the calling key has.',
    example: ['documents:read'],
  })
  scopes: BrowserScope[];

  @Field.object(TokenDocumentsDto, {
    optional: true,
    description:
      'The documents that the token can use: either `ids` or `tags`. Required without `collections`.',
    example: { tags: ['customer-42'] },
  })
  documents?: TokenDocumentsDto;

  @CollectionsField({
    optional: true,
    description:
      'The collections that the token can use, with all below them, within those of the calling key. With `documents`, both apply. Omitted or null: those of the calling key.',
    example: null,
  })
  collections?: string[] | null;

  @Field.integer({
    optional: true,
    min: MIN_SECONDS,
    max: MAX_SECONDS,
    default: DEFAULT_SECONDS,
    description: 'How long the token works. It ends with the key, if that is earlier.',
    example: DEFAULT_SECONDS,
    issue: `must be a whole number of seconds from ${String(MIN_SECONDS)} to ${String(MAX_SECONDS)}`,
  })
  expiresInSeconds = DEFAULT_SECONDS;

  @Field.integer({
    optional: true,
    min: 1,
    max: MAX_MINUTE_LIMIT,
    description:
      'Requests a minute with this token, in addition to the limits of the key and the account. Omitted: no limit of its own.',
    example: 60,
  })
  minuteLimit?: number;

  @Field.text({ ...LABEL, optional: true, oneLine: true, notBlank: true })
  label?: string;
}

/** Example bodies of `POST /v1/tokens`. */
export const CREATE_TOKEN_EXAMPLES = {
  customer: {
    summary: 'One customer reads their documents for an hour',
    value: {
      scopes: ['documents:read'],
      documents: { tags: ['customer-42'] },
      label: 'visitor-4711',
    },
  },
  collection: {
    summary: 'A visitor reads one collection for an hour',
    value: { scopes: ['documents:read'], collections: [sampleId('collection')] },
  },
  reviewer: {
    summary: 'A reviewer proposes changes to one document for ten minutes',
    value: {
      scopes: ['documents:read', 'documents:suggest'],
      documents: { ids: [sampleId('document')] },
      expiresInSeconds: 600,
      minuteLimit: 60,
    },
  },
} as const;

/** A new token. */
export class BrowserTokenDto {
  @Field.secret({
    max: 44,
    pattern: '^ds_bt_[0-9A-Za-z]{38}$',
    description: 'The token itself, shown only once.',
    example: 'ds_bt_7Gq2mVb8TzKxW4nRc9YpLs3HdJf6Ea1Q0a1B2c',
  })
  token: string | null;

  @Field.time({ description: 'When the token stops working.' }) expiresAt: string;
  @Field.list(BROWSER_SCOPES, { max: BROWSER_SCOPES.length, example: ['documents:read'] })
  scopes: readonly BrowserScope[];
  @Field.object(TokenDocumentsDto, {
    nullable: true,
    description: 'Null: all documents of the collections.',
    example: { tags: ['customer-42'] },
  })
  documents: TokenDocumentsDto | null;
  @CollectionsField({ description: 'Null: those of the key.', example: null })
  collections: string[] | null;

  @Field.integer({ min: 1, nullable: true, description: 'Null: no limit of its own.', example: 60 })
  minuteLimit: number | null;

  @Field.text({ ...LABEL, nullable: true }) label: string | null;
}

function idsProblem(ids: unknown): string | undefined {
  return isListOf(ids, MAX_IDS)
    ? (areIds('document', MAX_IDS)(ids, {}) as string | undefined)
    : `must be an array of 1 to ${String(MAX_IDS)} document ids`;
}

function tagsProblems(tags: unknown): string | FieldProblem[] | undefined {
  if (!isListOf(tags, MAX_TAGS)) return `must be an array of 1 to ${String(MAX_TAGS)} strings`;
  return tags.flatMap((tag, index) =>
    tag !== '' && tag.length <= MAX_TAG_CHARACTERS && !tag.includes('\0')
      ? []
      : {
          field: `tags[${String(index)}]`,
          issue: `must have 1 to ${String(MAX_TAG_CHARACTERS)} characters`,
        },
  );
}

function isListOf(value: unknown, max: number): value is string[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= max &&
    value.every((item) => typeof item === 'string')
  );
}
