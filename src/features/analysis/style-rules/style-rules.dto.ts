import { MAX_INT32, textSchema } from '../../../platform/openapi/schemas.js';
import { Field } from '../../../platform/openapi/field.js';
import { PickType, type SchemaObject } from '@nestjs/swagger';
import { isObject } from '../../../platform/http/bodies/json-text.js';
import type { FieldProblem } from '../../../platform/basics/errors/app-error.js';
import { IssueDto } from '../dto/analysis.dto.js';
import { CreationOrderDto } from '../../../platform/http/pagination/page-query.dto.js';
import { SEVERITIES, type StyleRule } from '@document-service/text-analysis/analysis';
import {
  MAX_MESSAGE_CHARACTERS,
  MAX_PATTERN_CHARACTERS,
  MAX_PHRASE_CHARACTERS,
  MAX_PHRASES,
  MAX_RULES,
  styleRuleProblems,
} from './style-rule.js';
import { MAX_TEST_FINDINGS } from './find-by-style-rules.js';
import type { ValeFile } from './vale-import.js';

const MAX_FILES = 500;
const MAX_FILE_CHARACTERS = 200_000;
const MAX_PATH_CHARACTERS = 500;
/** Maximum length of a text that rules are tried on. */
const MAX_TEST_CHARACTERS = 10_000;
const MAX_TEST_RULES = 100;

const phrases: SchemaObject = {
  type: 'array',
  minItems: 1,
  maxItems: MAX_PHRASES,
  items: textSchema(MAX_PHRASE_CHARACTERS),
};
const kind = (name: string) => ({ type: 'string' as const, enum: [name] });
const common = {
  id: { type: 'string' as const, pattern: '^[a-z0-9][a-z0-9._-]{0,79}$', maxLength: 80 },
  severity: { type: 'string' as const, enum: [...SEVERITIES], default: 'warning' },
  message: { ...textSchema(MAX_MESSAGE_CHARACTERS), nullable: true },
};

/** One rule, by its `kind`. */
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
        to: textSchema(MAX_PHRASE_CHARACTERS),
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
        pattern: textSchema(MAX_PATTERN_CHARACTERS),
        replacement: { ...textSchema(MAX_PHRASE_CHARACTERS), nullable: true },
      },
    },
    {
      type: 'object',
      required: ['id', 'kind', 'pattern', 'max', 'scope'],
      properties: {
        ...common,
        kind: kind('occurrence'),
        pattern: textSchema(MAX_PATTERN_CHARACTERS),
        max: { type: 'integer', format: 'int32', minimum: 0, maximum: MAX_INT32 },
        scope: { type: 'string', enum: ['sentence', 'paragraph'] },
      },
    },
  ],
};
/** A rule in responses, with all optional fields. */
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
  @Field.list(RULE, {
    max: MAX_RULES,
    description:
      'All rules of the new version. `accepted`: words that no rule reports. `replacement`: suggests `to` for each phrase in `from`. `banned`: reports phrases without a replacement. `pattern`: reports matches of an RE2 pattern (linear time, case-insensitive). `occurrence`: reports sentences or paragraphs in which a pattern matches more than `max` times.',
    example: EXAMPLE_RULES,
    check: (value) => styleRuleProblems(value),
  })
  rules: object[];
}

/** The body of `POST /v1/style-rules/test`. */
export class TestStyleRulesDto {
  @Field.list(RULE, {
    max: MAX_TEST_RULES,
    description: 'The rules, as in a new version.',
    example: EXAMPLE_RULES,
    check: (value) => styleRuleProblems(value, { max: MAX_TEST_RULES }),
  })
  rules: object[];

  @Field.text({
    max: MAX_TEST_CHARACTERS,
    description: 'A Markdown text.',
    example: 'Please utilize the red lever.',
  })
  content: string;
}

/** Something that a rule reports in a text. */
class StyleRuleFindingDto extends PickType(IssueDto, ['severity', 'start', 'end', 'replacements']) {
  @Field.text({ max: 200, example: 'house-style.plain-words' }) ruleId: string;

  @Field.text({ max: 2000, example: 'Your house style uses "use" instead of "utilize".' })
  message: string;

  @Field.text({ max: MAX_TEST_CHARACTERS, description: 'The passage.', example: 'utilize' })
  original: string;
}

/** The response to trying rules on a text. */
export class StyleRuleFindingsDto {
  @Field.list(StyleRuleFindingDto, { max: MAX_TEST_FINDINGS, description: 'In text order.' })
  findings: StyleRuleFindingDto[];

  @Field.integer({ description: 'Number of further findings.', example: 0 })
  findingsOmitted: number;
}

/** The body of `POST /v1/style-rules/import`. */
export class ImportStyleRulesDto {
  @Field.list(
    {
      type: 'object',
      required: ['path', 'content'],
      properties: {
        path: textSchema(MAX_PATH_CHARACTERS),
        content: textSchema(MAX_FILE_CHARACTERS),
      },
    },
    {
      min: 1,
      max: MAX_FILES,
      description: 'The `.yml` files of a Vale style folder.',
      example: [
        {
          path: 'Acme/Terms.yml',
          content:
            'extends: substitution\nmessage: "Use %s."\nlevel: error\nswap:\n  utilize: use\n',
        },
      ],
      check: fileProblems,
    },
  )
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

/** A version of the style rules of an account. */
export class StyleRulesDto {
  @Field.integer({ min: 1, example: 3 }) version: number;

  @Field.flag({ description: 'True for the active version.', example: true })
  isActive: boolean;

  @Field.list(COMPLETE_RULE, { max: MAX_RULES, example: EXAMPLE_RULES }) rules: StyleRule[];
  @Field.time() createdAt: string;
}

class SkippedRuleDto {
  @Field.text({ max: MAX_PATH_CHARACTERS, example: 'Acme/Headings.yml' }) path: string;

  @Field.text({ max: 2000, example: 'extends capitalization, which has no counterpart here' })
  reason: string;
}

/** The response to an import. */
export class ImportedStyleRulesDto extends StyleRulesDto {
  @Field.list(SkippedRuleDto, {
    optional: true,
    max: 100_000,
    description: 'Rules of the import that were skipped, with the reason.',
  })
  skipped: SkippedRuleDto[];
}

/** The response to deactivating the rules. */
export class InactiveStyleRulesDto {
  @Field.constant(false) isActive: false;
}
