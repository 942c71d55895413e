import { Filter, areIds, MAX_VALUES } from '../../../platform/openapi/filter.js';
import { idSchema, sampleId, textSchema, WITH_COMMAS } from '../../../platform/openapi/schemas.js';
import { Field } from '../../../platform/openapi/field.js';
import { DOCUMENT_STATUSES, type DocumentStatus } from '../document-fields.js';
import { DOCUMENT_TYPES, type DocumentType } from '../../content/document-type.js';
import { MAX_METADATA_BYTES } from '../../content/open-objects.js';
import { MAX_EXTERNAL_ID_CHARACTERS } from '../../content/text-fields.js';
import { isLongerThan } from '../../../platform/http/envelope/text-length.js';

export const MAX_SEARCH_CHARACTERS = 500;
const MAX_SEARCH_WORDS = 50;

const TextsFilter = (description: string, example: string) =>
  Filter.several(textSchema(MAX_METADATA_BYTES), {
    description,
    example: [example],
    check: (values) => textsProblem(values),
  });

/** Most ids of one request. */
const MAX_IDS = 100;

/** Any keys, each with a value. */
const METADATA_FILTER = {
  style: 'deepObject',
  explode: true,
  maxProperties: MAX_VALUES,
  additionalProperties: textSchema(MAX_METADATA_BYTES),
};

/** Which documents are meant. All conditions must hold; several values of one are alternatives. */
export class DocumentFiltersDto {
  @Field.text({
    optional: true,
    min: 1,
    max: MAX_SEARCH_CHARACTERS,
    description:
      'Words that title and content together must have, in any form that the stemmer of the document’s language takes for the same. `"a phrase"` keeps words together, `-word` excludes, `or` between words makes alternatives. Chinese, Japanese, Korean and Thai are found by any part of them. At most 50 words.',
    example: '"quarterly report" revenue -draft',
    check: searchProblem,
  })
  q?: string;

  @Filter.commaSeparated(idSchema('document'), {
    ...WITH_COMMAS,
    max: MAX_IDS,
    description:
      'With one of these ids, with commas between or repeated; ids that are unknown are absent. `limit` and `sort` hold as ever.',
    example: [sampleId('document')],
    check: areIds('document', MAX_IDS),
  })
  ids?: string[];

  @Filter.several(textSchema(MAX_EXTERNAL_ID_CHARACTERS), {
    max: MAX_IDS,
    description: 'With this `externalId`. Repeat it for several: any of them.',
    example: ['crm/4711'],
    check: (values) => textsProblem(values, MAX_IDS),
  })
  externalId?: string[];

  @Filter.several(DOCUMENT_TYPES, {
    description: 'Of this type. Repeat it for several: any of them.',
    example: ['report'],
  })
  type?: DocumentType[];

  @Filter.several(DOCUMENT_STATUSES, {
    description: 'In this status. Repeat it for several: any of them.',
    example: ['draft', 'in_review'],
  })
  status?: DocumentStatus[];

  @TextsFilter(
    'With this tag in `metadata.tags`. Repeat it for several tags: all must be there.',
    'finance',
  )
  tag?: string[];

  @TextsFilter(
    'With exactly this `metadata.department`. Repeat it for several: any of them.',
    'Sales',
  )
  department?: string[];

  @TextsFilter(
    'With exactly this `metadata.project`. Repeat it for several: any of them.',
    'Apollo',
  )
  project?: string[];

  /** Pairs of what follows `metadata.` and the value, a list when it is repeated. */
  @Field.object(METADATA_FILTER, {
    optional: true,
    description:
      'With this value under the key: `metadata[region]=eu`, or `metadata.region=eu`. A dot goes into an object, or is part of the key: `metadata[client.name]=Acme`. Texts, numbers and booleans are compared as they were sent, in lists each item. At most 20 keys; a repeated one is `or`.',
    example: { region: 'eu' },
    check: metadataFilterProblems,
  })
  metadata?: [string, string | string[]][];

  @Filter.ids('user', 'Created by this user. Repeat it for several: any of them.')
  createdBy?: string[];

  @Filter.ids('template', 'Created from this template. Repeat it for several: any of them.')
  templateId?: string[];

  @Filter.time('Created at this time or later') createdAfter?: string;
  @Filter.time('Created before this time') createdBefore?: string;
  @Filter.time('Changed at this time or later') updatedAfter?: string;
  @Filter.time('Changed before this time') updatedBefore?: string;

  @Field.flag({
    optional: true,
    default: false,
    description: 'Looks into the trash instead.',
    example: true,
    check: (value) => (value === 'true' || value === 'false' ? undefined : 'must be true or false'),
  })
  deleted?: 'true' | 'false';

  static readonly openName = 'metadata';
}

const NEEDS_KEY = 'needs the name of a key: write metadata[region]=eu or metadata.region=eu';
const MANGLED_KEY =
  'is percent-encoded twice: write the name of the key as it is and let the client encode it once, metadata[region]=eu';

/** What is wrong with `metadata.<key>=value` parameters, as pairs of key and value. */
export function metadataFilterProblems(pairs: unknown): { field: string; issue: string }[] {
  return (pairs as [string, unknown][]).flatMap(([key, value], index) => {
    const field = key === '' ? 'metadata' : `metadata.${key}`;
    if (key === '' || /^\{.*\}$/.test(key)) return [{ field, issue: NEEDS_KEY }];
    if (/%[0-9a-f]{2}/i.test(key)) return [{ field, issue: MANGLED_KEY }];
    if (key.includes('\0')) return [{ field, issue: 'must not contain U+0000' }];
    if (index >= MAX_VALUES)
      return [{ field, issue: `is one filter too many; at most ${String(MAX_VALUES)}` }];
    const issue = textsProblem(Array.isArray(value) ? value : [value]);
    return issue === undefined ? [] : [{ field, issue }];
  });
}

function textProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be given once';
  return value.includes('\0') ? 'must not contain U+0000' : undefined;
}

/** Returns the issue of a list of texts, from a repeated parameter. */
export function textsProblem(values: unknown, most = MAX_VALUES): string | undefined {
  if (!Array.isArray(values)) return 'must be text';
  if (values.length > most) return `must not be given more than ${String(most)} times`;
  return values.map(textProblem).find((problem) => problem !== undefined);
}

/** Returns the issue of words to search for. */
export function searchProblem(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be given once';
  if (value.trim() === '') return 'must not be empty or only white space';
  if (value.includes('\0')) return 'must not contain U+0000';
  if (isLongerThan(value, MAX_SEARCH_CHARACTERS)) {
    return `must not be longer than ${String(MAX_SEARCH_CHARACTERS)} characters`;
  }
  const words = value.match(/\S+/g)?.length ?? 0;
  return words > MAX_SEARCH_WORDS
    ? `must not have more than ${String(MAX_SEARCH_WORDS)} words; it has ${String(words)}`
    : undefined;
}
