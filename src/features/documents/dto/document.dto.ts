import { ApiProperty, OmitType, PickType } from '@nestjs/swagger';
import {
  ApiEmail,
  ApiId,
  ApiInteger,
  ApiText,
  ApiTimestamp,
} from '../../../platform/openapi/property-decorators.js';
import { type ShownField, DOCUMENT_STATUSES, type DocumentStatus } from '../document-fields.js';
import { DOCUMENT_TYPES, type DocumentType } from '../../content/document-type.js';
import { AI_SETTINGS, METADATA } from '../../content/open-objects.js';
import {
  MAX_CONTENT_BYTES,
  MAX_EXTERNAL_ID_CHARACTERS,
  MAX_TITLE_CHARACTERS,
} from '../../content/text-fields.js';

const CONTENT = '# Results\n\nRevenue grew by 12 %.';

export class DocumentCreatorDto {
  @ApiId('user')
  id: string;

  @ApiText({ maxLength: 200, example: 'Ada Lovelace' })
  name: string;

  @ApiEmail()
  email: string;
}

/** A document as lists show it. */
export class DocumentListItemDto implements Record<Exclude<ShownField, 'content'>, unknown> {
  @ApiId('document')
  id: string;

  @ApiText({ minLength: 1, maxLength: MAX_TITLE_CHARACTERS, example: 'Quarterly report' })
  title: string;

  @ApiProperty({ enum: DOCUMENT_TYPES, example: 'report' })
  type: DocumentType;

  @ApiText({
    required: false,
    maxLength: MAX_CONTENT_BYTES,
    description: 'Only with `include=content`.',
  })
  content?: string;

  @ApiText({
    maxLength: 200,
    description: 'The first 200 characters of the content.',
    example: CONTENT,
  })
  excerpt: string;

  @ApiProperty({ enum: DOCUMENT_STATUSES, description: 'A new one is a draft.', example: 'draft' })
  status: DocumentStatus;

  @ApiProperty(METADATA)
  metadata: Record<string, unknown>;

  @ApiProperty(AI_SETTINGS)
  aiSettings: Record<string, unknown>;

  @ApiText({
    nullable: true,
    maxLength: MAX_EXTERNAL_ID_CHARACTERS,
    title: 'ExternalId',
    description: 'Your own id of it, unique in the account; null where it has none.',
    example: 'crm/4711',
  })
  externalId: string | null;

  @ApiId('template', { nullable: true, example: null })
  templateId: string | null;

  @ApiInteger({
    minimum: 0,
    maximum: MAX_CONTENT_BYTES,
    title: 'WordCount',
    description: 'Words of the content, as word processors count them.',
    example: 5,
  })
  wordCount: number;

  @ApiInteger({
    minimum: 1,
    maximum: 2_147_483_647,
    title: 'VersionNumber',
    description: 'Grows by one with every change.',
    example: 1,
  })
  version: number;

  @ApiTimestamp()
  createdAt: string;

  @ApiTimestamp({ description: 'Equals `createdAt` until the first change.' })
  updatedAt: string;

  @ApiProperty({ type: DocumentCreatorDto })
  createdBy: DocumentCreatorDto;

  @ApiText({
    required: false,
    nullable: true,
    maxLength: 4000,
    description:
      'Only with `q`: a part of the content, or else of the title, as HTML text with what matches in `<mark>`; `null` when the match is far behind the beginning.',
    example: 'the <mark>quarterly</mark> figures',
  })
  highlight?: string | null;

  @ApiTimestamp({ required: false, description: 'Only with `deleted=true`: when it was deleted.' })
  deletedAt?: string;
}

/** A document. */
export class DocumentDto extends OmitType(DocumentListItemDto, [
  'excerpt',
  'content',
  'highlight',
  'deletedAt',
]) {
  @ApiText({ maxLength: MAX_CONTENT_BYTES, example: CONTENT })
  content: string;
}

/** A document where its content would make the answer too large. */
export class DocumentWithoutContentDto extends OmitType(DocumentDto, ['content']) {
  @ApiProperty({ enum: [true], description: 'The content was left out: read the document.' })
  contentTruncated: true;
}

/** What an event says of a document at least: enough to fetch it and to know the order. */
export class DocumentReferenceDto extends PickType(DocumentListItemDto, [
  'id',
  'type',
  'status',
  'version',
]) {
  @ApiProperty({
    required: false,
    enum: [true],
    description: 'The content is over 256 KiB and was left out: read the document.',
  })
  contentTruncated?: true;

  @ApiProperty({
    required: false,
    enum: [true],
    description: 'The document was removed for good: nothing else is left of it.',
  })
  removed?: true;
}
