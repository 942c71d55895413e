import { Filter, areIds, MAX_VALUES } from '../../../platform/openapi/filter.js';
import { idSchema, sampleId, textSchema, WITH_COMMAS } from '../../../platform/openapi/schemas.js';
import {
  searchProblem,
  textsProblem,
  MAX_SEARCH_CHARACTERS,
  metadataFilterProblems,
} from './filter-fields.js';
import { Field } from '../../../platform/openapi/field.js';
import { DOCUMENT_STATUSES, type DocumentStatus } from '../document-status.js';
import { DOCUMENT_TYPES, type DocumentType } from '../../content/document-type.js';
import { MAX_METADATA_BYTES } from '../../content/open-objects.js';
import { MAX_EXTERNAL_ID_CHARACTERS } from '../../content/text-fields.js';

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
