import { CHECKS, SEVERITIES } from '@document-service/text-analysis/analysis';
import { requestedLanguage } from '@document-service/text-analysis/language/requested-language';
import { Field } from '../../../platform/openapi/field.js';
import { Filter } from '../../../platform/openapi/filter.js';
import { textSchema } from '../../../platform/openapi/schemas.js';
import { CreationOrderDto } from '../../../platform/http/pagination/page-query.dto.js';

/** The query of `GET /v1/analysis-rules`. */
export class ListAnalysisRulesDto extends CreationOrderDto {
  @Field.oneOf(['asc', 'desc'], {
    optional: true,
    default: 'asc',
    description: 'The order of the IDs, or the reverse.',
    example: 'asc',
  })
  override order: 'asc' | 'desc' = 'asc';

  @Filter.several(CHECKS, { description: 'Only rules of these categories.', example: ['grammar'] })
  category?: string[];

  @Field.text({
    optional: true,
    max: 100,
    description: 'Only rules for this language: a BCP 47 tag or an English name.',
    example: 'en',
    check: (value) =>
      typeof value === 'string' && requestedLanguage(value).kind === 'known'
        ? undefined
        : 'must be a language, such as de or German',
  })
  language?: string;

  @Filter.flag({ description: 'Only rules that the account switched off, or only others.' })
  disabled?: boolean;

  @Field.text({
    optional: true,
    max: 200,
    description: 'Only rules with these words in ID, description or example.',
    example: 'apostrophe',
  })
  search?: string;
}

class RuleExampleDto {
  @Field.text({ max: 1000, example: 'She go home.' }) wrong: string;
  @Field.text({ max: 1000, example: 'She goes home.' }) right: string;
}

/** A rule that analyses apply. */
export class AnalysisRuleDto {
  @Field.text({
    max: 200,
    description: 'The `ruleId` of its findings.',
    example: 'grammar.pronoun-verb-agreement',
  })
  id: string;

  @Field.oneOf(CHECKS, { example: 'grammar' }) category: string;
  @Field.oneOf(SEVERITIES, { example: 'error' }) severity: string;

  @Field.list(textSchema(35), {
    max: 100,
    description: 'Languages it applies to. Empty: all.',
    example: ['en'],
  })
  languages: string[];

  @Field.text({ max: 4000, example: 'Ensures pronouns agree with their verbs.' })
  description: string;

  @Field.object(RuleExampleDto, { nullable: true }) example: RuleExampleDto | null;

  @Field.oneOf(['built-in', 'harper', 'model'], {
    description: '`harper`: from Harper, which runs offline like `built-in`.',
    example: 'harper',
  })
  source: string;

  @Field.flag({ description: 'True if the account switched it off.', example: false })
  disabled: boolean;
}
