import { contentProblem, MAX_CONTENT_BYTES } from '../../content/text-fields.js';
import { Field } from '../../../platform/openapi/field.js';
import { CHECKS, type Check } from '@document-service/text-analysis/analysis';
import { TEXT_FORMATS, type TextFormat } from '@document-service/text-analysis/analysis-request';

export const MAX_NAME_CHARACTERS = 100;

/** The body of `POST /v1/documents/{id}/analyze`. */
export class AnalyzeDocumentDto {
  @Field.list(CHECKS, {
    optional: true,
    min: 1,
    max: CHECKS.length,
    empty: 'must name at least one check; leave it out for all of them',
    description: 'What to look for; left out, everything.',
    example: ['spelling', 'grammar'],
  })
  checks?: Check[];

  @Field.text({
    optional: true,
    max: MAX_NAME_CHARACTERS,
    description:
      'A BCP-47 tag, the English name of a language, or `auto`. Left out, that of `aiSettings`, else `auto`: each paragraph has the language that is detected.',
    example: 'en-GB',
  })
  language?: string;

  @Field.text({
    optional: true,
    max: MAX_NAME_CHARACTERS,
    description:
      '`low` tells errors, `medium` warnings too, `high` style too. Left out, that of `aiSettings`, else `medium`; so is any other text.',
    example: 'high',
  })
  suggestionLevel?: string;
}

/** The body of `POST /v1/analyze`. */
export class AnalyzeTextDto extends AnalyzeDocumentDto {
  @Field.text({
    max: MAX_CONTENT_BYTES,
    description: 'At most 1 MiB of UTF-8. It is not kept once it is analysed.',
    example: 'The results was definately better.',
    check: contentProblem,
  })
  content: string;

  @Field.oneOf(TEXT_FORMATS, { optional: true, default: 'markdown', example: 'markdown' })
  format?: TextFormat;
}
