import { Filter, areIds, MAX_VALUES } from '../../../platform/openapi/filter.js';
import { idSchema, sampleId, textSchema, WITH_COMMAS } from '../../../platform/openapi/schemas.js';
import { Field, type Check } from '../../../platform/openapi/field.js';
import { DOCUMENT_STATUSES, type DocumentStatus } from '../model/document-fields.js';
import { DOCUMENT_TYPES, type DocumentType } from '../../content/document-type.js';
import { MAX_METADATA_BYTES } from '../../content/open-objects.js';
import { MAX_EXTERNAL_ID_CHARACTERS } from '../../content/text-fields.js';
import { isLongerThan } from '../../../platform/basics/text.js';

const MAX_SEARCH_CHARACTERS = 500;
const MAX_SEARCH_WORDS = 50;

const TextsFilter = (description: string, example: string) =>
  Filter.several(textSchema(MAX_METADATA_BYTES), {
    description,
    example: [example],
    check: (values) => textsProblem(values),
  });

/** Maximum number of ids in one request. */
const MAX_IDS = 100;

/** Any keys with any values. */
const METADATA_FILTER = {
  style: 'deepObject',
  explode: true,
  maxProperties: MAX_VALUES,
  additionalProperties: textSchema(MAX_METADATA_BYTES),
};

/** Filters of documents. A document must match all filters, and at least one value of each. */
export class DocumentFiltersDto {
  @Field.text({
    optional: true,
    min: 1,
    max: MAX_SEARCH_CHARACTERS,
    description:
      'Words that title and content together must contain, in any form with the same stem. `"a phrase"` matches adjacent words, `-word` excludes a word, `or` separates alternatives. Chinese, Japanese, Korean and Thai text matches by substring. At most 50 words.',
    example: '"quarterly report" revenue -draft',
    check: searchProblem,
  })
  q?: string;

  @Filter.commaSeparated(idSchema('document'), {
    ...WITH_COMMAS,
    max: MAX_IDS,
    description:
      'Only documents with these IDs, comma-separated or repeated. Unknown IDs are skipped. `limit` and `sort` apply as usual.',
    example: [sampleId('document')],
    check: areIds('document', MAX_IDS),
  })
  ids?: string[];

  @Filter.several(textSchema(MAX_EXTERNAL_ID_CHARACTERS), {
    max: MAX_IDS,
    description: 'Only documents with this `externalId`. Repeat it to match any of several.',
    example: ['crm/4711'],
    check: (values) => textsProblem(values, MAX_IDS),
  })
  externalId?: string[];

  @Filter.several(DOCUMENT_TYPES, {
    description: 'Only documents of this type. Repeat it to match any of several.',
    example: ['report'],
  })
  type?: DocumentType[];

  @Filter.several(DOCUMENT_STATUSES, {
    description: 'Only documents with this status. Repeat it to match any of several.',
    example: ['draft', 'in_review'],
  })
  status?: DocumentStatus[];

  @TextsFilter(
    'Only documents with this tag in `metadata.tags`. Repeat it to require several tags.',
    'finance',
  )
  tag?: string[];

  @TextsFilter(
    'Only documents with exactly this `metadata.department`. Repeat it to match any of several.',
    'Sales',
  )
  department?: string[];

  @TextsFilter(
    'Only documents with exactly this `metadata.project`. Repeat it to match any of several.',
    'Apollo',
  )
  project?: string[];

  /** Pairs of the path below `metadata` and the value, or a list of values if the parameter is repeated. */
  @Field.object(METADATA_FILTER, {
    optional: true,
    description:
      'Only documents with this metadata value: `metadata[region]=eu` or `metadata.region=eu`. A dot selects a nested key or is part of the key: `metadata[client.name]=Acme`. Values are compared as they were sent; a list matches if one of its items does. At most 20 keys. Repeat a key to match any of several values.',
    example: { region: 'eu' },
    check: metadataFilterProblems,
  })
  metadata?: [string, string | string[]][];

  @Filter.ids('user', 'Only documents created by this user. Repeat it to match any of several.')
  createdBy?: string[];

  @Filter.ids(
    'template',
    'Only documents created from this template. Repeat it to match any of several.',
  )
  templateId?: string[];

  @Filter.time('Only documents created at this time or later') createdAfter?: string;
  @Filter.time('Only documents created before this time') createdBefore?: string;
  @Filter.time('Only documents changed at this time or later') updatedAfter?: string;
  @Filter.time('Only documents changed before this time') updatedBefore?: string;

  @Filter.several(
    {
      type: 'string',
      maxLength: 30,
      pattern: `^(root|${idSchema('collection').pattern.slice(1, -1)})$`,
    },
    {
      description:
        'Only documents in this collection or below it; `root` matches documents in no collection. Repeat it to match any of several.',
      example: ['root'],
      check: collectionsProblem,
    },
  )
  collection?: string[];

  @Field.constant('published', {
    optional: true,
    description:
      'Searches published versions: all fields, words and tags are those that were published, and people have no email addresses. Keys that only have the scope `documents:read_published` always get them.',
  })
  perspective?: 'published';

  @Field.constant('true', {
    optional: true,
    description: 'Only documents with unpublished changes.',
  })
  unpublishedChanges?: 'true';

  @Field.flag({
    optional: true,
    default: false,
    description: 'Lists the documents in the trash instead.',
    example: true,
    check: (value) => (value === 'true' || value === 'false' ? undefined : 'must be true or false'),
  })
  deleted?: 'true' | 'false';

  static readonly openName = 'metadata';
}

const NEEDS_KEY = 'needs the name of a key, such as metadata[region]=eu or metadata.region=eu';
const MANGLED_KEY =
  'is percent-encoded twice; pass the unencoded key to your client, which encodes it once, as in metadata[region]=eu';

/** Returns the problems of `metadata.<key>=value` parameters, given as pairs of key and value. */
function metadataFilterProblems(pairs: unknown): { field: string; issue: string }[] {
  return (pairs as [string, unknown][]).flatMap(([key, value], index) => {
    const field = key === '' ? 'metadata' : `metadata.${key}`;
    if (key === '' || /^\{.*\}$/.test(key)) return [{ field, issue: NEEDS_KEY }];
    if (/%[0-9a-f]{2}/i.test(key)) return [{ field, issue: MANGLED_KEY }];
    if (key.includes('\0')) return [{ field, issue: 'must not contain U+0000' }];
    if (index >= MAX_VALUES)
      return [{ field, issue: `is one filter too many; the maximum is ${String(MAX_VALUES)}` }];
    const issue = textsProblem(Array.isArray(value) ? value : [value]);
    return issue === undefined ? [] : [{ field, issue }];
  });
}

function textProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be given once';
  return value.includes('\0') ? 'must not contain U+0000' : undefined;
}

/** Returns the issue of a list of texts, from a repeated parameter. */
function textsProblem(values: unknown, most = MAX_VALUES): string | undefined {
  if (!Array.isArray(values)) return 'must be text';
  if (values.length > most) return `must not be given more than ${String(most)} times`;
  return values.map(textProblem).find((problem) => problem !== undefined);
}

/** Returns the issue of a list of collections or `root`. */
function collectionsProblem(values: unknown, dto: object): ReturnType<Check> {
  if ((values as unknown[]).length > MAX_VALUES)
    return `must not be given more than ${String(MAX_VALUES)} times`;
  const ids = (values as unknown[]).filter((value) => value !== 'root');
  const issue = ids.length === 0 ? undefined : areIds('collection', MAX_VALUES)(ids, dto);
  return typeof issue === 'string' ? `${issue}, or root` : issue;
}

/** Returns the issue of words to search for. */
function searchProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be given once';
  if (value.trim() === '') return 'must not be blank';
  if (value.includes('\0')) return 'must not contain U+0000';
  if (isLongerThan(value, MAX_SEARCH_CHARACTERS)) {
    return `must not be longer than ${String(MAX_SEARCH_CHARACTERS)} characters`;
  }
  const words = value.match(/\S+/g)?.length ?? 0;
  return words > MAX_SEARCH_WORDS
    ? `must not have more than ${String(MAX_SEARCH_WORDS)} words; it has ${String(words)}`
    : undefined;
}
