import { ApiProperty, OmitType } from '@nestjs/swagger';
import { MAX_CONTENT_BYTES } from '../../content/text-fields.js';
import {
  ApiId,
  ApiInteger,
  ApiText,
  ApiTimestamp,
  KEPT_TEXT,
} from '../../../platform/openapi/property-decorators.js';
import {
  CHECKS,
  ISSUE_STATUSES,
  SEVERITIES,
  SUGGESTION_LEVELS,
} from '@document-service/text-analysis/analysis';

const LARGEST = 2_147_483_647;
export const ISSUE_ID = 'iss_8Qm2xT0aWk3e9ZrLbD5uNg';
const count = (example: number, description?: string) => ({
  minimum: 0,
  maximum: LARGEST,
  example,
  ...(description !== undefined && { description }),
});
const score = (description: string, example: number) => ({
  type: 'number' as const,
  format: 'double',
  minimum: 0,
  maximum: 100,
  nullable: true,
  description: `${description} Null where the text shows nothing to judge.`,
  example,
});

class AnalysisLanguageDto {
  @ApiText({ maxLength: 100, description: 'BCP-47; `und` where it cannot be told.', example: 'en' })
  code: string;

  @ApiProperty({ enum: ['requested', 'detected'], example: 'detected' })
  source: string;

  @ApiProperty({ type: 'number', format: 'double', minimum: 0, maximum: 1, example: 0.98 })
  confidence: number;
}

/** By what a text was looked at. */
export class SettingsDto {
  @ApiProperty({
    type: 'array',
    items: { type: 'string', enum: [...CHECKS] },
    maxItems: CHECKS.length,
    example: ['spelling', 'grammar'],
  })
  checks: string[];

  @ApiText({ maxLength: 100, example: 'auto' })
  language: string;

  @ApiProperty({ enum: SUGGESTION_LEVELS, example: 'medium' })
  suggestionLevel: string;
}

class EffectiveSettingsDto extends SettingsDto {
  @ApiProperty({
    type: 'array',
    maxItems: 20,
    items: { type: 'string', maxLength: 1000, pattern: KEPT_TEXT },
    description: 'What of the wishes was not understood, and what was done instead.',
    example: [],
  })
  warnings: string[];
}

class ReplacementDto {
  @ApiText({ maxLength: MAX_CONTENT_BYTES, example: 'definitely' })
  value: string;

  @ApiProperty({ type: 'number', format: 'double', minimum: 0, maximum: 1, example: 0.97 })
  confidence: number;
}

/** Something that was found at a place of the text. */
export class IssueDto {
  @ApiText({
    maxLength: 60,
    description:
      'The same for the same finding in the same sentence, in every analysis of the document.',
    example: ISSUE_ID,
  })
  id: string;

  @ApiText({ maxLength: 200, example: 'spelling.unknown-word' })
  ruleId: string;

  @ApiProperty({ enum: CHECKS, example: 'spelling' })
  category: string;

  @ApiProperty({ enum: SEVERITIES, example: 'error' })
  severity: string;

  @ApiText({ maxLength: 2000, example: '“definately” is not a word we know.' })
  message: string;

  @ApiText({ maxLength: 4000, example: 'The word stands in no dictionary of this language.' })
  explanation: string;

  @ApiInteger(count(16, 'Where it begins, in UTF-16 units from the beginning of the text.'))
  start: number;

  @ApiInteger(count(26, 'The unit after its last one.'))
  end: number;

  @ApiProperty({ enum: ['utf16'], example: 'utf16' })
  unit: string;

  @ApiInteger({ minimum: 1, maximum: LARGEST, example: 1 })
  line: number;

  @ApiInteger({
    minimum: 1,
    maximum: LARGEST,
    description: 'In UTF-16 units, from 1.',
    example: 17,
  })
  column: number;

  @ApiText({ maxLength: MAX_CONTENT_BYTES, description: 'The passage.', example: 'definately' })
  original: string;

  @ApiProperty({ type: [ReplacementDto], maxItems: 20, description: 'The best one first.' })
  replacements: ReplacementDto[];

  @ApiProperty({ enum: ['rule', 'model'], example: 'rule' })
  source: string;

  @ApiProperty({ enum: ISSUE_STATUSES, example: 'open' })
  status: string;
}

class StatisticsDto {
  @ApiInteger(count(120, 'As `wordCount` of a document counts them.'))
  words: number;

  @ApiInteger(count(9))
  sentences: number;

  @ApiInteger(count(3))
  paragraphs: number;

  @ApiInteger(count(702, 'Unicode code points.'))
  characters: number;

  @ApiInteger(count(36))
  readingTimeSeconds: number;
}

class ReadabilityScoreDto {
  @ApiProperty({
    type: 'number',
    format: 'double',
    minimum: -100_000,
    maximum: 100_000,
    example: 62.4,
  })
  value: number;

  @ApiText({
    maxLength: 500,
    description: 'Where the formula was published.',
    example: 'R. Gunning: The Technique of Clear Writing. McGraw-Hill (1952)',
  })
  source: string;
}

class ReadabilityDto {
  @ApiProperty({
    type: ReadabilityScoreDto,
    description: '0 (hardest) to 100 (easiest) for most texts; short words and sentences pass 100.',
  })
  fleschReadingEase: ReadabilityScoreDto;

  @ApiProperty({ type: ReadabilityScoreDto, description: 'Years of school in the United States.' })
  fleschKincaidGrade: ReadabilityScoreDto;

  @ApiProperty({ type: ReadabilityScoreDto, description: 'Years of school in the United States.' })
  gunningFog: ReadabilityScoreDto;
}

export class ScoresDto {
  @ApiProperty(score('All together.', 84))
  overall: number | null;

  @ApiProperty(score('Few mistakes a word.', 88))
  correctness: number | null;

  @ApiProperty(score('Easy to read.', 79))
  clarity: number | null;

  @ApiProperty(score('Varied.', 81))
  engagement: number | null;
}

class KeywordDto {
  @ApiText({ maxLength: 500, example: 'quarterly revenue' })
  term: string;

  @ApiInteger(count(4))
  count: number;

  @ApiProperty({ type: 'number', format: 'double', minimum: 0, maximum: 1, example: 0.81 })
  score: number;
}

class SummarySentenceDto {
  @ApiText({
    maxLength: MAX_CONTENT_BYTES,
    description: 'As it stands in the text.',
    example: 'Revenue grew by 12 %.',
  })
  text: string;

  @ApiInteger(count(11))
  start: number;

  @ApiInteger(count(32))
  end: number;
}

class OutlineItemDto {
  @ApiInteger({ minimum: 1, maximum: 6, example: 1 })
  level: number;

  @ApiText({ maxLength: MAX_CONTENT_BYTES, example: 'Results' })
  text: string;

  @ApiInteger({ minimum: 1, maximum: LARGEST, example: 1 })
  line: number;

  @ApiInteger(count(0))
  start: number;

  @ApiInteger(count(9))
  end: number;
}

class SentimentDto {
  @ApiProperty({ type: 'number', format: 'double', minimum: -1, maximum: 1, example: 0.2 })
  score: number;

  @ApiProperty({ enum: ['negative', 'neutral', 'positive'], example: 'neutral' })
  label: string;
}

class UnsupportedCheckDto {
  @ApiProperty({ enum: CHECKS, example: 'grammar' })
  check: string;

  @ApiText({ maxLength: 100, example: 'sv' })
  language: string;

  @ApiText({ maxLength: 1000, example: 'There are no rules of grammar for Swedish.' })
  reason: string;
}

export class EngineDto {
  @ApiText({ maxLength: 200, example: 'offline' })
  name: string;

  @ApiText({ maxLength: 200, example: '1.0.0' })
  version: string;
}

/** What was found in a version of a document. */
export class AnalysisDto {
  @ApiId('analysis')
  id: string;

  @ApiId('document')
  documentId: string;

  @ApiInteger({ minimum: 1, maximum: LARGEST, example: 3 })
  documentVersion: number;

  @ApiProperty({ enum: ['completed'], example: 'completed' })
  status: string;

  @ApiTimestamp()
  createdAt: string;

  @ApiProperty({ type: AnalysisLanguageDto, description: 'That of most words.' })
  language: AnalysisLanguageDto;

  @ApiProperty({ type: EffectiveSettingsDto, description: 'By what it was made.' })
  effectiveSettings: EffectiveSettingsDto;

  @ApiProperty({ type: StatisticsDto })
  statistics: StatisticsDto;

  @ApiProperty({
    type: ReadabilityDto,
    nullable: true,
    description: 'Null for a language without formulas, and for fewer than five words.',
  })
  readability: ReadabilityDto | null;

  @ApiProperty({ type: ScoresDto })
  scores: ScoresDto;

  @ApiProperty({ type: [KeywordDto], maxItems: 50 })
  keywords: KeywordDto[];

  @ApiProperty({
    type: [SummarySentenceDto],
    maxItems: 20,
    description: 'Sentences of the text that say most of it, in their order.',
  })
  summary: SummarySentenceDto[];

  @ApiProperty({ type: [OutlineItemDto], maxItems: 10_000, description: 'The headings.' })
  outline: OutlineItemDto[];

  @ApiProperty({
    type: SentimentDto,
    nullable: true,
    description: 'Null for a language without a lexicon.',
  })
  sentiment: SentimentDto | null;

  @ApiProperty({
    type: [IssueDto],
    maxItems: 2_000,
    description:
      'In the order of the text, at most 2,000; `issuesOmitted` says how many more there are.',
  })
  issues: IssueDto[];

  @ApiInteger(count(0))
  issuesOmitted: number;

  @ApiProperty({
    type: [UnsupportedCheckDto],
    maxItems: 1_000,
    description: 'Checks that were asked for and cannot be made in a language of the text.',
  })
  unsupportedChecks: UnsupportedCheckDto[];

  @ApiProperty({ type: EngineDto })
  engine: EngineDto;
}

/** What was found in a text that is not stored. */
export class TextAnalysisDto extends OmitType(AnalysisDto, [
  'id',
  'documentId',
  'documentVersion',
  'status',
  'createdAt',
] as const) {}
