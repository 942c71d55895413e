import { ApiProperty, ApiPropertyOptional, type SchemaObject } from '@nestjs/swagger';
import { CheckedBy, IsRequired } from '../../../platform/http/envelope/field-decorators.js';
import { isObject } from '../../../platform/http/envelope/json-text.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import {
  ApiInteger,
  ApiText,
  ApiTimestamp,
  KEPT_TEXT,
} from '../../../platform/openapi/property-decorators.js';
import { CreationOrderDto } from '../../../platform/http/pagination/creation-order.dto.js';
import { SEVERITIES, type StyleRule } from '@document-service/text-analysis/analysis';
import {
  MAX_MESSAGE_CHARACTERS,
  MAX_PATTERN_CHARACTERS,
  MAX_PHRASE_CHARACTERS,
  MAX_PHRASES,
  MAX_RULES,
  styleRuleProblems,
} from './style-rule.js';
import type { ValeFile } from './vale-import.js';

const MAX_VERSION = 2_147_483_647;
const MAX_FILES = 500;
const MAX_FILE_CHARACTERS = 200_000;
const MAX_PATH_CHARACTERS = 500;

const text = (maxLength: number): SchemaObject => ({
  type: 'string',
  maxLength,
  pattern: KEPT_TEXT,
});
const phrases: SchemaObject = {
  type: 'array',
  minItems: 1,
  maxItems: MAX_PHRASES,
  items: text(MAX_PHRASE_CHARACTERS),
};
const kind = (name: string) => ({ type: 'string' as const, enum: [name] });
const common = {
  id: { type: 'string' as const, pattern: '^[a-z0-9][a-z0-9._-]{0,79}$', maxLength: 80 },
  severity: { type: 'string' as const, enum: [...SEVERITIES], default: 'warning' },
  message: { ...text(MAX_MESSAGE_CHARACTERS), nullable: true },
};

/** A rule by its `kind`. */
const RULE: SchemaObject = {
  title: 'NewStyleRule',
  oneOf: [
    {
      type: 'object',
      required: ['id', 'kind', 'words'],
      properties: { ...common, kind: kind('accepted'), words: phrases },
    },
    {
      type: 'object',
      required: ['id', 'kind', 'from', 'to'],
      properties: {
        ...common,
        kind: kind('replacement'),
        from: phrases,
        to: text(MAX_PHRASE_CHARACTERS),
      },
    },
    {
      type: 'object',
      required: ['id', 'kind', 'phrases'],
      properties: { ...common, kind: kind('banned'), phrases },
    },
    {
      type: 'object',
      required: ['id', 'kind', 'pattern'],
      properties: {
        ...common,
        kind: kind('pattern'),
        pattern: text(MAX_PATTERN_CHARACTERS),
        replacement: { ...text(MAX_PHRASE_CHARACTERS), nullable: true },
      },
    },
    {
      type: 'object',
      required: ['id', 'kind', 'pattern', 'max', 'scope'],
      properties: {
        ...common,
        kind: kind('occurrence'),
        pattern: text(MAX_PATTERN_CHARACTERS),
        max: { type: 'integer', format: 'int32', minimum: 0, maximum: MAX_VERSION },
        scope: { type: 'string', enum: ['sentence', 'paragraph'] },
      },
    },
  ],
};
/** A rule as answers show it: with all that a request may leave out. */
const COMPLETE_RULE: SchemaObject = {
  title: 'StyleRule',
  oneOf: (RULE.oneOf as SchemaObject[]).map((rule) => ({
    ...rule,
    required: Object.keys(rule.properties ?? {}),
  })),
};
const EXAMPLE_RULES: StyleRule[] = [
  {
    id: 'plain-words',
    kind: 'replacement',
    severity: 'warning',
    message: null,
    from: ['utilize', 'utilise'],
    to: 'use',
  },
];

/** The query of `GET /v1/style-rules`. */
export class ListStyleRulesDto extends CreationOrderDto {}

/** The body of `POST /v1/style-rules`. */
export class CreateStyleRulesDto {
  @ApiProperty({
    type: 'array',
    maxItems: MAX_RULES,
    items: RULE,
    description:
      'All rules of the new version. `accepted` words are never a finding of any rule, `replacement` offers `to` for each phrase of `from`, `banned` phrases are found without a replacement, `pattern` is one of RE2 (linear time, case does not count), `occurrence` finds sentences or paragraphs in which a pattern stands more than `max` times.',
    example: EXAMPLE_RULES,
  })
  @CheckedBy((value) => styleRuleProblems(value))
  @IsRequired()
  rules: object[];
}

/** The body of `POST /v1/style-rules/import`. */
export class ImportStyleRulesDto {
  @ApiProperty({
    type: 'array',
    minItems: 1,
    maxItems: MAX_FILES,
    items: {
      type: 'object',
      required: ['path', 'content'],
      properties: { path: text(MAX_PATH_CHARACTERS), content: text(MAX_FILE_CHARACTERS) },
    },
    description: 'The `.yml` files of a Vale style folder.',
    example: [
      {
        path: 'Acme/Terms.yml',
        content: 'extends: substitution\nmessage: "Use %s."\nlevel: error\nswap:\n  utilize: use\n',
      },
    ],
  })
  @CheckedBy(fileProblems)
  @IsRequired()
  files: ValeFile[];
}

function fileProblems(value: unknown): FieldProblem[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_FILES) {
    return [{ field: 'files', issue: `must be an array of 1 to ${String(MAX_FILES)} files` }];
  }
  return value.flatMap((file: unknown, index) => {
    const place = `files[${String(index)}]`;
    if (!isObject(file))
      return [{ field: place, issue: 'must be an object with path and content' }];
    return [
      ...textProblem(file['path'], `${place}.path`, MAX_PATH_CHARACTERS),
      ...textProblem(file['content'], `${place}.content`, MAX_FILE_CHARACTERS),
    ];
  });
}

function textProblem(value: unknown, field: string, most: number): FieldProblem[] {
  return typeof value === 'string' && value.length <= most
    ? []
    : [{ field, issue: `must be a text of at most ${most.toLocaleString('en')} characters` }];
}

/** A version of an account's house rules. */
export class StyleRulesDto {
  @ApiInteger({ minimum: 1, maximum: MAX_VERSION, example: 3 })
  version: number;

  @ApiProperty({ description: 'Whether it is in force.', example: true })
  isActive: boolean;

  @ApiProperty({ type: 'array', maxItems: MAX_RULES, items: COMPLETE_RULE, example: EXAMPLE_RULES })
  rules: StyleRule[];

  @ApiTimestamp()
  createdAt: string;
}

class SkippedRuleDto {
  @ApiText({ maxLength: MAX_PATH_CHARACTERS, example: 'Acme/Headings.yml' })
  path: string;

  @ApiText({ maxLength: 2000, example: 'extends capitalization, which has no counterpart here' })
  reason: string;
}

/** The answer to an import. */
export class ImportedStyleRulesDto extends StyleRulesDto {
  @ApiPropertyOptional({
    type: [SkippedRuleDto],
    maxItems: 100_000,
    description: 'What has no counterpart here.',
  })
  skipped: SkippedRuleDto[];
}

/** The answer to taking the rules out of force. */
export class InactiveStyleRulesDto {
  @ApiProperty({ enum: [false], example: false })
  isActive: false;
}
