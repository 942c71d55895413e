import { ApiProperty, IntersectionType, PickType } from '@nestjs/swagger';
import {
  ApiId,
  ApiInteger,
  ApiText,
  ApiTimestamp,
  KEPT_TEXT,
} from '../../../../platform/openapi/property-decorators.js';
import {
  COPIED_FIELDS,
  initialOf,
  IF_CHANGED_FIELDS,
  PATCHABLE_FIELDS,
  type PatchableField,
} from '../../document-fields.js';
import { DocumentCreatorDto, DocumentDto } from '../../dto/document.dto.js';
import { MAX_CONTENT_BYTES } from '../../../content/text-fields.js';
import { PLAIN_FIELDS } from '../version-diff.js';

const CHANGES = [...PATCHABLE_FIELDS];
const MAX_VERSION = 2_147_483_647;
const text = (maxLength: number) => ({ type: 'string' as const, maxLength, pattern: KEPT_TEXT });
const count = { minimum: 0, maximum: 10_000_000 };

class VersionOriginDto {
  @ApiProperty({ enum: ['enhancement'], example: 'enhancement' })
  type: string;

  @ApiId('enhancement')
  enhancementId: string;

  @ApiProperty({
    type: 'array',
    maxItems: 2_000,
    items: { type: 'string', maxLength: 60, pattern: KEPT_TEXT },
    description: 'The suggestions that were applied.',
    example: ['iss_8Qm2xT0aWk3e9ZrLbD5uNg'],
  })
  suggestionIds: string[];
}

/** A version of a document as lists show it. */
export class VersionDto extends PickType(DocumentDto, COPIED_FIELDS) {
  @ApiInteger({
    minimum: 1,
    maximum: MAX_VERSION,
    description: 'From 1, without a gap.',
    example: 2,
  })
  number: number;

  @ApiProperty({
    type: 'array',
    maxItems: CHANGES.length,
    items: { type: 'string', enum: CHANGES },
    description: 'In what it differs from the version before; empty for the first.',
    example: ['content'],
  })
  changes: string[];

  @ApiProperty({ type: DocumentCreatorDto, description: 'Who made this version.' })
  author: DocumentCreatorDto;

  @ApiProperty({
    type: VersionOriginDto,
    nullable: true,
    description:
      'What made it, where suggestions were applied; null for all other changes, and for versions from an archive.',
  })
  origin: VersionOriginDto | null;

  @ApiTimestamp()
  createdAt: string;
}

/** A version of a document with all that it was. */
export class WholeVersionDto extends IntersectionType(
  VersionDto,
  PickType(DocumentDto, ['content', ...IF_CHANGED_FIELDS] as const),
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

/** How one content became another. */
export class ContentDiffDto {
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

/** A field without a value at first is one that can be null. */
const isNullable = (name: PatchableField) => initialOf(name) === null;

const changeOf = (name: PatchableField) => {
  const value = { ...text(500), ...(isNullable(name) && { nullable: true }) };
  return {
    type: 'object' as const,
    selfRequired: false,
    additionalProperties: false,
    description: 'Left out when it is the same in both.',
    properties: { from: value, to: value },
    example: EXAMPLES[name] ?? { from: 'Before', to: 'After' },
  };
};

const EXAMPLES: Partial<Record<PatchableField, object>> = {
  title: { from: 'Draft', to: 'Report' },
  type: { from: 'document', to: 'report' },
  status: { from: 'draft', to: 'published' },
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

/** How one version became another; what it tells of each field is declared below. */
export class VersionDiffDto {
  @ApiInteger({ minimum: 1, maximum: MAX_VERSION, example: 1 })
  from: number;

  @ApiInteger({ minimum: 1, maximum: MAX_VERSION, example: 2 })
  to: number;
}

for (const name of PLAIN_FIELDS) ApiProperty(changeOf(name))(VersionDiffDto.prototype, name);
ApiProperty({ type: ContentDiffDto })(VersionDiffDto.prototype, 'content');
for (const name of IF_CHANGED_FIELDS) ApiProperty(MEMBERS)(VersionDiffDto.prototype, name);
