import { Field } from '../../../../platform/openapi/field.js';
import { IntersectionType, PickType } from '@nestjs/swagger';
import { textSchema } from '../../../../platform/openapi/schemas.js';
import {
  COPIED_FIELDS,
  initialOf,
  IF_CHANGED_FIELDS,
  PATCHABLE_FIELDS,
  type PatchableField,
} from '../../model/document-fields.js';
import { DocumentCreatorDto, DocumentDto } from '../../dto/document.dto.js';
import { MAX_CONTENT_BYTES } from '../../../content/text-fields.js';
import { PLAIN_FIELDS } from '../version-diff.js';
import { Transform } from 'class-transformer';

const CHANGES = [...PATCHABLE_FIELDS];
const count = { max: 10_000_000 };

class VersionOriginDto {
  @Field.oneOf(['enhancement', 'merge'], { example: 'enhancement' }) type: string;
  @Field.id('enhancement', { optional: true }) enhancementId?: string;

  @Field.list(textSchema(60), {
    optional: true,
    max: 2_000,
    description: 'The suggestions of the enhancement that were applied.',
    example: ['iss_8Qm2xT0aWk3e9ZrLbD5uNg'],
  })
  suggestionIds?: string[];

  @Field.integer({
    optional: true,
    min: 1,
    description: 'With `merge`: the `baseVersion` of the request.',
    example: 3,
  })
  baseVersion?: number;
}

/** A version of a document in a list. */
export class VersionDto extends PickType(DocumentDto, COPIED_FIELDS) {
  @Field.integer({ min: 1, description: 'Starts at 1, without gaps.', example: 2 }) number: number;

  @Field.list(CHANGES, {
    max: CHANGES.length,
    description: 'The fields that differ from the previous version; empty for the first.',
    example: ['content'],
  })
  changes: string[];

  @Field.object(DocumentCreatorDto, { description: 'The user who created this version.' })
  author: DocumentCreatorDto;

  @Field.object(VersionOriginDto, {
    nullable: true,
    description:
      'What created this version: suggestions, or a merge (`baseVersion`). Null for other changes and imported versions.',
  })
  origin: VersionOriginDto | null;

  @Field.time() createdAt: string;
}

/** A version of a document with all its fields. */
export class WholeVersionDto extends IntersectionType(
  VersionDto,
  PickType(DocumentDto, ['content', ...IF_CHANGED_FIELDS] as const),
) {}

class SegmentDto {
  @Field.oneOf(['equal', 'added', 'removed'], { example: 'added' }) type: string;
  @Field.text({ max: MAX_CONTENT_BYTES, example: '13 %' }) text: string;
}

class HunkDto {
  @Field.integer({
    ...count,
    description: 'The first line in the older version, counted from 1.',
    example: 1,
  })
  fromLine: number;

  @Field.integer({ ...count, example: 3 }) fromLines: number;

  @Field.integer({
    ...count,
    description: 'The first line in this version, counted from 1.',
    example: 1,
  })
  toLine: number;

  @Field.integer({ ...count, example: 3 }) toLines: number;

  @Field.list(SegmentDto, { max: 1_000_000, description: 'The words of the hunk.' })
  segments: SegmentDto[];
}

class DiffStatsDto {
  @Field.integer({ ...count, example: 1 }) addedLines: number;
  @Field.integer({ ...count, example: 1 }) removedLines: number;
  @Field.integer({ ...count, example: 1 }) addedWords: number;
  @Field.integer({ ...count, example: 1 }) removedWords: number;
}

/** The differences between two contents. */
export class ContentDiffDto {
  @Field.text({
    max: 4 * MAX_CONTENT_BYTES,
    description: 'A unified diff that patch tools can apply. Empty if the contents are equal.',
    example: '--- v1\n+++ v2\n@@ -1 +1 @@\n-Revenue grew by 12 %.\n+Revenue grew by 13 %.\n',
  })
  unified: string;

  @Field.list(HunkDto, { max: 1_000_000 }) hunks: HunkDto[];
  @Field.object(DiffStatsDto) stats: DiffStatsDto;

  @Field.flag({
    description: 'The contents differ so much that the diff may be larger than necessary.',
    example: false,
  })
  approximate: boolean;
}

/** A field can be null if its first value is null. */
const isNullable = (name: PatchableField) => initialOf(name) === null;

const ChangeField = (name: PatchableField) => {
  const value = { ...textSchema(500), ...(isNullable(name) && { nullable: true }) };
  return Field.object(
    { additionalProperties: false, properties: { from: value, to: value } },
    {
      optional: true,
      description: 'Absent if both versions have the same value.',
      example: EXAMPLES[name] ?? { from: 'Before', to: 'After' },
    },
  );
};

const EXAMPLES: Partial<Record<PatchableField, object>> = {
  title: { from: 'Draft', to: 'Report' },
  type: { from: 'document', to: 'report' },
  status: { from: 'draft', to: 'published' },
};

const anyMembers = { type: 'object', additionalProperties: true };

/** The changed members of an open object. */
const MembersField = () =>
  Field.object(
    {
      additionalProperties: false,
      properties: { added: anyMembers, removed: anyMembers, changed: anyMembers },
    },
    {
      description: 'Changes by name.',
      example: {
        added: { reviewed: true },
        removed: {},
        changed: { project: { from: 'A', to: 'B' } },
      },
    },
  );

/** The differences between two versions. The properties for the fields are declared below. */
export class VersionDiffDto {
  @Field.integer({ min: 1, example: 1 }) from: number;
  @Field.integer({ min: 1, example: 2 }) to: number;
}

for (const name of PLAIN_FIELDS) ChangeField(name)(VersionDiffDto.prototype, name);
Field.object(ContentDiffDto)(VersionDiffDto.prototype, 'content');
for (const name of IF_CHANGED_FIELDS) MembersField()(VersionDiffDto.prototype, name);

/** From 1 to 999,999,999. */
const VERSION_NUMBER = /^[1-9]\d{0,8}$/;

/** The query of `GET /v1/documents/{id}/versions/{number}/diff`. */
export class DiffQueryDto {
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && VERSION_NUMBER.test(value) ? Number(value) : value,
  )
  @Field.schema(
    {
      type: String,
      schema: {
        example: 1,
        anyOf: [
          { type: 'integer', format: 'int32', minimum: 1, maximum: 999_999_999 },
          { type: 'string', enum: ['published'] },
        ],
      },
    },
    {
      optional: true,
      description:
        'The version to compare with, or `published` for the published one. Default: the previous version.',
      check: (value) =>
        typeof value === 'number' || value === 'published'
          ? undefined
          : 'must be the number of a version, or published',
    },
  )
  against?: number | 'published';
}
