import { textSchema } from '../../../platform/openapi/schemas.js';
import { Field } from '../../../platform/openapi/field.js';
import { OmitType } from '@nestjs/swagger';
import { MAX_CONTENT_BYTES } from '../../content/text-fields.js';
import {
  CHECKS,
  ISSUE_STATUSES,
  SEVERITIES,
  SUGGESTION_LEVELS,
} from '@document-service/text-analysis/analysis';

export const ISSUE_ID = 'iss_8Qm2xT0aWk3e9ZrLbD5uNg';

const ScoreField = (description: string, example: number) =>
  Field.number({
    max: 100,
    nullable: true,
    description: `${description} Null if the text does not allow a score.`,
    example,
  });

class AnalysisLanguageDto {
  @Field.text({
    max: 100,
    description: 'A BCP 47 tag; `und` if the language cannot be detected.',
    example: 'en',
  })
  code: string;

  @Field.oneOf(['requested', 'detected'], { example: 'detected' }) source: string;
  @Field.number({ max: 1, example: 0.98 }) confidence: number;
}

/** The engine of an analysis. */
export class SettingsDto {
  @Field.list(CHECKS, { max: CHECKS.length, example: ['spelling', 'grammar'] }) checks: string[];
  @Field.text({ max: 100, example: 'auto' }) language: string;
  @Field.oneOf(SUGGESTION_LEVELS, { example: 'medium' }) suggestionLevel: string;
}

class EffectiveSettingsDto extends SettingsDto {
  @Field.list(textSchema(1000), {
    max: 20,
    description: 'Settings that were not recognized, and what the analysis left out.',
    example: [],
  })
  warnings: string[];
}

class ReplacementDto {
  @Field.text({ max: MAX_CONTENT_BYTES, example: 'definitely' }) value: string;
  @Field.number({ max: 1, example: 0.97 }) confidence: number;
}

/** A finding in the text. */
export class IssueDto {
  @Field.text({
    max: 60,
    description:
      'Stays the same for this finding in this sentence in all analyses of the document.',
    example: ISSUE_ID,
  })
  id: string;

  @Field.text({ max: 200, example: 'spelling.unknown-word' }) ruleId: string;
  @Field.oneOf(CHECKS, { example: 'spelling' }) category: string;
  @Field.oneOf(SEVERITIES, { example: 'error' }) severity: string;
  @Field.text({ max: 2000, example: '“definately” is not a word we know.' }) message: string;

  @Field.text({ max: 4000, example: 'The word is not in any dictionary of this language.' })
  explanation: string;

  @Field.integer({
    description: 'Its start in the text, in UTF-16 code units.',
    example: 16,
  })
  start: number;

  @Field.integer({
    description: 'Its end (exclusive), in UTF-16 code units.',
    example: 26,
  })
  end: number;
  @Field.constant('utf16') unit: string;
  @Field.integer({ min: 1, example: 1 }) line: number;
  @Field.integer({ min: 1, description: 'In UTF-16 code units, counted from 1.', example: 17 })
  column: number;

  @Field.text({ max: MAX_CONTENT_BYTES, description: 'The passage.', example: 'definately' })
  original: string;

  @Field.list(ReplacementDto, { max: 20, description: 'Best replacement first.' })
  replacements: ReplacementDto[];

  @Field.oneOf(['rule', 'model'], { example: 'rule' }) source: string;

  @Field.flag({
    description: 'True if the first replacement has a confidence of at least 0.9.',
    example: true,
  })
  safe: boolean;

  @Field.oneOf(ISSUE_STATUSES, { example: 'open' }) status: string;
}

class StatisticsDto {
  @Field.integer({ description: 'Counted like `wordCount` of a document.', example: 120 })
  words: number;
  @Field.integer({ example: 9 }) sentences: number;
  @Field.integer({ example: 3 }) paragraphs: number;
  @Field.integer({ description: 'Unicode code points.', example: 702 }) characters: number;
  @Field.integer({ example: 36 }) readingTimeSeconds: number;
}

class ReadabilityScoreDto {
  @Field.number({ min: -100_000, max: 100_000, example: 62.4 }) value: number;

  @Field.text({
    max: 500,
    description: 'The publication of the formula.',
    example: 'R. Gunning: The Technique of Clear Writing. McGraw-Hill (1952)',
  })
  source: string;
}

class ReadabilityDto {
  @Field.object(ReadabilityScoreDto, {
    description: '0 (hardest) to 100 (easiest) for most texts; short words and sentences pass 100.',
  })
  fleschReadingEase: ReadabilityScoreDto;

  @Field.object(ReadabilityScoreDto, { description: 'Years of school in the United States.' })
  fleschKincaidGrade: ReadabilityScoreDto;

  @Field.object(ReadabilityScoreDto, { description: 'Years of school in the United States.' })
  gunningFog: ReadabilityScoreDto;
}

/** docs/guides/scores-and-readability.md explains the values. */
class ScoreBasisDto {
  @Field.oneOf(['full', 'partial', 'spelling', 'none'], { example: 'full' }) correctness: string;
  @Field.oneOf(['full', 'partial', 'sentence length', 'none'], { example: 'full' }) clarity: string;
  @Field.oneOf(['full', 'partial', 'none'], { example: 'full' }) engagement: string;
}

export class ScoresDto {
  @ScoreField('All together.', 84)
  overall: number | null;

  @ScoreField('Few mistakes per word.', 88)
  correctness: number | null;

  @ScoreField('Easy to read.', 79)
  clarity: number | null;

  @ScoreField('Varied.', 81)
  engagement: number | null;

  @Field.object(ScoreBasisDto, {
    optional: true,
    description: 'The checks that each score is based on. Missing in older analyses.',
  })
  basis?: ScoreBasisDto;
}

class KeywordDto {
  @Field.text({ max: 500, example: 'quarterly revenue' }) term: string;
  @Field.integer({ example: 4 }) count: number;
  @Field.number({ max: 1, example: 0.81 }) score: number;
}

class SummarySentenceDto {
  @Field.text({
    max: MAX_CONTENT_BYTES,
    description: 'As in the text.',
    example: 'Revenue grew by 12 %.',
  })
  text: string;

  @Field.integer({ example: 11 }) start: number;
  @Field.integer({ example: 32 }) end: number;
}

class OutlineItemDto {
  @Field.integer({ min: 1, max: 6, example: 1 }) level: number;
  @Field.text({ max: MAX_CONTENT_BYTES, example: 'Results' }) text: string;
  @Field.integer({ min: 1, example: 1 }) line: number;
  @Field.integer({ example: 0 }) start: number;
  @Field.integer({ example: 9 }) end: number;
}

class SentimentDto {
  @Field.number({ min: -1, max: 1, example: 0.2 }) score: number;
  @Field.oneOf(['negative', 'neutral', 'positive'], { example: 'neutral' }) label: string;
}

class UnsupportedCheckDto {
  @Field.oneOf(CHECKS, { example: 'grammar' }) check: string;
  @Field.text({ max: 100, example: 'sv' }) language: string;
  @Field.text({ max: 1000, example: 'There are no grammar rules for Swedish.' }) reason: string;
}

export class EngineDto {
  @Field.text({ max: 200, example: 'offline' }) name: string;
  @Field.text({ max: 200, example: '1.0.0' }) version: string;
}

/** An analysis of a document version. */
export class AnalysisDto {
  @Field.id('analysis') id: string;
  @Field.id('document') documentId: string;
  @Field.integer({ min: 1, example: 3 }) documentVersion: number;
  @Field.constant('completed') status: string;
  @Field.time() createdAt: string;

  @Field.object(AnalysisLanguageDto, { description: 'The language of most words.' })
  language: AnalysisLanguageDto;

  @Field.object(EffectiveSettingsDto, { description: 'The engine of the analysis.' })
  effectiveSettings: EffectiveSettingsDto;

  @Field.object(StatisticsDto) statistics: StatisticsDto;

  @Field.object(ReadabilityDto, {
    nullable: true,
    description: 'Null for languages without formulas, and for fewer than five words.',
  })
  readability: ReadabilityDto | null;

  @Field.object(ScoresDto) scores: ScoresDto;
  @Field.list(KeywordDto, { max: 50 }) keywords: KeywordDto[];

  @Field.list(SummarySentenceDto, {
    max: 20,
    description: 'The most important sentences of the text, in text order.',
  })
  summary: SummarySentenceDto[];

  @Field.list(OutlineItemDto, { max: 10_000, description: 'The headings.' })
  outline: OutlineItemDto[];

  @Field.object(SentimentDto, {
    nullable: true,
    description: 'Null for languages without a lexicon.',
  })
  sentiment: SentimentDto | null;

  @Field.list(IssueDto, {
    max: 2_000,
    description: 'In text order, at most 2,000. `issuesOmitted` is the number of further issues.',
  })
  issues: IssueDto[];

  @Field.integer({ example: 0 }) issuesOmitted: number;

  @Field.list(UnsupportedCheckDto, {
    max: 1_000,
    description: 'Requested checks that are not available for a language of the text.',
  })
  unsupportedChecks: UnsupportedCheckDto[];

  @Field.object(EngineDto) engine: EngineDto;
}

/** An analysis of a text that is not stored. */
export class TextAnalysisDto extends OmitType(AnalysisDto, [
  'id',
  'documentId',
  'documentVersion',
  'status',
  'createdAt',
] as const) {}
