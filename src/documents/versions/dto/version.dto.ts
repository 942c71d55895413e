import { ApiProperty, IntersectionType, PickType } from '@nestjs/swagger';
import {
  ApiInteger,
  ApiText,
  ApiTimestamp,
  KEPT_TEXT,
} from '../../../openapi/property-decorators.js';
import { DocumentCreatorDto, DocumentDto } from '../../dto/document.dto.js';
import { MAX_CONTENT_BYTES } from '../../dto/text-fields.js';

const FIELDS = ['title', 'type', 'content', 'metadata', 'aiSettings', 'status'];
const MAX_VERSION = 2_147_483_647;
const text = (maxLength: number) => ({ type: 'string' as const, maxLength, pattern: KEPT_TEXT });
const count = { minimum: 0, maximum: 10_000_000 };

/** A version of a document as lists show it. */
export class VersionDto extends PickType(DocumentDto, ['title', 'type', 'status', 'wordCount']) {
  @ApiInteger({
    minimum: 1,
    maximum: MAX_VERSION,
    description: 'From 1, without a gap.',
    example: 2,
  })
  number: number;

  @ApiProperty({
    type: 'array',
    maxItems: FIELDS.length,
    items: { type: 'string', enum: FIELDS },
    description: 'In what it differs from the version before; empty for the first.',
    example: ['content'],
  })
  changes: string[];

  @ApiProperty({ type: DocumentCreatorDto, description: 'Who made this version.' })
  author: DocumentCreatorDto;

  @ApiTimestamp()
  createdAt: string;
}

/** A version of a document with all that it was. */
export class WholeVersionDto extends IntersectionType(
  VersionDto,
  PickType(DocumentDto, ['content', 'metadata', 'aiSettings']),
) {}

class SegmentDto {
  @ApiProperty({ enum: ['equal', 'added', 'removed'], example: 'added' })
  type: string;

  @ApiText({ maxLength: MAX_CONTENT_BYTES, example: '13 %' })
  text: string;
}

class HunkDto {
  @ApiInteger({ ...count, description: 'Its first line in the older version, from 1.', example: 1 })
  fromLine: number;

  @ApiInteger({ ...count, example: 3 })
  fromLines: number;

  @ApiInteger({ ...count, description: 'Its first line in this version, from 1.', example: 1 })
  toLine: number;

  @ApiInteger({ ...count, example: 3 })
  toLines: number;

  @ApiProperty({ type: [SegmentDto], maxItems: 1_000_000, description: 'The hunk word by word.' })
  segments: SegmentDto[];
}

class DiffStatsDto {
  @ApiInteger({ ...count, example: 1 })
  addedLines: number;

  @ApiInteger({ ...count, example: 1 })
  removedLines: number;

  @ApiInteger({ ...count, example: 1 })
  addedWords: number;

  @ApiInteger({ ...count, example: 1 })
  removedWords: number;
}

class ContentDiffDto {
  @ApiText({
    maxLength: 4 * MAX_CONTENT_BYTES,
    description: 'A unified diff that patch tools apply; empty when the contents are equal.',
    example: '--- v1\n+++ v2\n@@ -1 +1 @@\n-Revenue grew by 12 %.\n+Revenue grew by 13 %.\n',
  })
  unified: string;

  @ApiProperty({ type: [HunkDto], maxItems: 1_000_000 })
  hunks: HunkDto[];

  @ApiProperty({ type: DiffStatsDto })
  stats: DiffStatsDto;

  @ApiProperty({
    type: Boolean,
    description: 'More may be told as changed than need be, because the contents differ so much.',
    example: false,
  })
  approximate: boolean;
}

const CHANGE = {
  type: 'object' as const,
  selfRequired: false,
  additionalProperties: false,
  description: 'Left out when it is the same in both.',
  properties: { from: text(500), to: text(500) },
};

const MEMBERS = {
  type: 'object' as const,
  additionalProperties: false,
  description: 'Changes by name.',
  properties: {
    added: { type: 'object' as const, additionalProperties: true },
    removed: { type: 'object' as const, additionalProperties: true },
    changed: { type: 'object' as const, additionalProperties: true },
  },
  example: { added: { reviewed: true }, removed: {}, changed: { project: { from: 'A', to: 'B' } } },
};

/** How one version became another. */
export class VersionDiffDto {
  @ApiInteger({ minimum: 1, maximum: MAX_VERSION, example: 1 })
  from: number;

  @ApiInteger({ minimum: 1, maximum: MAX_VERSION, example: 2 })
  to: number;

  @ApiProperty({ ...CHANGE, example: { from: 'Draft', to: 'Report' } })
  title?: object;

  @ApiProperty({ ...CHANGE, example: { from: 'document', to: 'report' } })
  type?: object;

  @ApiProperty({ ...CHANGE, example: { from: 'draft', to: 'published' } })
  status?: object;

  @ApiProperty({ type: ContentDiffDto })
  content: ContentDiffDto;

  @ApiProperty(MEMBERS)
  metadata: object;

  @ApiProperty(MEMBERS)
  aiSettings: object;
}
