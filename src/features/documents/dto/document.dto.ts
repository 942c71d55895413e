import { Field } from '../../../platform/openapi/field.js';
import { OmitType, PickType } from '@nestjs/swagger';
import {
  type ShownField,
  DOCUMENT_STATUSES,
  type DocumentStatus,
} from '../model/document-fields.js';
import { DOCUMENT_TYPES, type DocumentType } from '../../content/document-type.js';
import { AI_SETTINGS, METADATA } from '../../content/open-objects.js';
import {
  MAX_CONTENT_BYTES,
  MAX_EXTERNAL_ID_CHARACTERS,
  MAX_TITLE_CHARACTERS,
} from '../../content/text-fields.js';
import { Filter } from '../../../platform/openapi/filter.js';

const CONTENT = '# Results\n\nRevenue grew by 12 %.';

export class DocumentCreatorDto {
  @Field.id('user') id: string;
  @Field.text({ max: 200, example: 'Ada Lovelace' }) name: string;
  @Field.email() email: string;
}

/** A person, as documents show them: readers of published versions get no email addresses. */
export class DocumentPersonDto extends OmitType(DocumentCreatorDto, ['email']) {
  @Field.email({
    optional: true,
    description: 'Missing only if the request reads published versions.',
  })
  email?: string;
}

/** The version of a document that readers get. */
export class PublishedVersionDto {
  @Field.integer({ min: 1, description: 'The published version.', example: 3 }) version: number;

  @Field.flag({
    description: 'True if a later version changed more than the status, external ID or collection.',
    example: false,
  })
  changed: boolean;
}

/** A document in a list. */
export class DocumentListItemDto implements Record<Exclude<ShownField, 'content'>, unknown> {
  @Field.id('document') id: string;
  @Field.text({ min: 1, max: MAX_TITLE_CHARACTERS, example: 'Quarterly report' }) title: string;
  @Field.oneOf(DOCUMENT_TYPES, { example: 'report' }) type: DocumentType;

  @Field.text({
    optional: true,
    max: MAX_CONTENT_BYTES,
    description: 'Only with `include=content`.',
  })
  content?: string;

  @Field.text({
    max: 200,
    description: 'The first 200 characters of the content.',
    example: CONTENT,
  })
  excerpt: string;

  @Field.oneOf(DOCUMENT_STATUSES, { description: 'New documents are drafts.', example: 'draft' })
  status: DocumentStatus;

  @Field.object(METADATA)
  metadata: Record<string, unknown>;

  @Field.object(AI_SETTINGS)
  aiSettings: Record<string, unknown>;

  @Field.text({
    nullable: true,
    max: MAX_EXTERNAL_ID_CHARACTERS,
    title: 'ExternalId',
    description: 'Your own ID for the document, unique in the account. Null if it has none.',
    example: 'crm/4711',
  })
  externalId: string | null;

  @Field.id('collection', {
    nullable: true,
    description: 'The collection that contains it. Null at the root.',
    example: null,
  })
  collectionId: string | null;

  @Field.id('template', { nullable: true, example: null }) templateId: string | null;

  @Field.integer({
    max: MAX_CONTENT_BYTES,
    title: 'WordCount',
    description: 'Number of words in the content, counted as word processors do.',
    example: 5,
  })
  wordCount: number;

  @Field.integer({
    min: 1,
    title: 'VersionNumber',
    description: 'Increases by one with each change.',
    example: 1,
  })
  version: number;

  @Field.time() createdAt: string;
  @Field.time({ description: 'Equals `createdAt` until the first change.' }) updatedAt: string;
  @Field.object(DocumentPersonDto) createdBy: DocumentPersonDto;

  @Field.object(DocumentPersonDto, { description: 'Who made the current version.' })
  updatedBy: DocumentPersonDto;

  @Field.object(PublishedVersionDto, {
    optional: true,
    description: 'Missing if the document has no published version.',
  })
  published?: PublishedVersionDto;

  @Field.time({
    optional: true,
    description: 'When this version was published. Only for published versions.',
  })
  publishedAt?: string;

  @Field.time({
    optional: true,
    description: 'When the document was first published. Only for published versions.',
  })
  firstPublishedAt?: string;

  @Field.text({
    optional: true,
    nullable: true,
    max: 4000,
    description:
      'Only with `q`: an excerpt of the content, or of the title, as HTML text with matches in `<mark>`. Null if the first match is far from the beginning.',
    example: 'the <mark>quarterly</mark> figures',
  })
  highlight?: string | null;

  @Field.time({
    optional: true,
    description: 'Only with `deleted=true`: when the document was deleted.',
  })
  deletedAt?: string;
}

/** A document. */
export class DocumentDto extends OmitType(DocumentListItemDto, [
  'excerpt',
  'content',
  'highlight',
  'deletedAt',
]) {
  @Field.text({ max: MAX_CONTENT_BYTES, example: CONTENT }) content: string;
}

/** A document in a response that would be too large with its content. */
export class DocumentWithoutContentDto extends OmitType(DocumentDto, ['content']) {
  @Field.constant(true, { description: 'The content was omitted. Read the document to get it.' })
  contentTruncated: true;
}

/** The minimum that an event contains about a document: enough to fetch it and to know the order. */
export class DocumentReferenceDto extends PickType(DocumentListItemDto, [
  'id',
  'type',
  'status',
  'version',
]) {
  @Field.constant(true, {
    optional: true,
    description: 'The content is over 256 KiB and was omitted. Read the document to get it.',
  })
  contentTruncated?: true;

  @Field.constant(true, {
    optional: true,
    description: 'The document was permanently deleted. Its other fields are gone.',
  })
  removed?: true;
}

/** Maximum number of values of a facet in a response. */
export const MAX_FACET_VALUES = 100;

class FacetValueDto {
  @Field.text({ max: 500, example: 'report' }) value: string;
  @Field.integer({ min: 1, description: 'Number of documents with this value.', example: 42 })
  count: number;
}

const FacetField = (description: string) =>
  Field.list(FacetValueDto, { max: MAX_FACET_VALUES, description });

/** The number of matching documents by value, most frequent value first. */
export class DocumentFacetsDto {
  @FacetField('By type.')
  type: FacetValueDto[];

  @FacetField('By status.')
  status: FacetValueDto[];

  @FacetField('By tag. A document counts once for each of its tags.')
  tag: FacetValueDto[];

  @FacetField('By `metadata.department`.')
  department: FacetValueDto[];

  @FacetField('By `metadata.project`.')
  project: FacetValueDto[];
}

/** The query of `DELETE /v1/documents/{id}`. */
export class DeleteDocumentDto {
  @Filter.flag({
    default: false,
    description:
      'Permanently deletes the document and its versions. Requires the scope `documents:delete`.',
    example: false,
  })
  permanent = false;
}

/** The response to a deletion. */
export class DeletedDocumentDto {
  @Field.id('document') id: string;
  @Field.constant(true) deleted: true;
  @Field.flag({ description: 'True if the document was permanently deleted.', example: false })
  permanent: boolean;

  @Field.time({
    nullable: true,
    description:
      'Until this time, `POST /v1/documents/{id}/restore` restores the document. Null if it was permanently deleted.',
  })
  restorableUntil: string | null;
}
