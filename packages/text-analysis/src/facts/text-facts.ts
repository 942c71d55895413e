import type { Finding } from '../analysis.js';
import { type Keyword, keywordsOf } from './keywords.js';
import { type OutlineEntry, outlineOf } from './outline.js';
import { type Readability, readabilityOf } from './readability.js';
import { type Scores, scoresOf } from './scores.js';
import { type Sentiment, sentimentOf } from './sentiment.js';
import { statisticsOf, type TextStatistics } from './statistics.js';
import { type SummarySentence, summaryOf } from './summary.js';
import type { Paragraph } from '../text/prose.js';
import { sentencesOfText } from '../text/text-parts.js';

/** Facts about a text other than findings. */
export interface TextFacts {
  statistics: TextStatistics;
  /** `null` if no formula exists for the language. */
  readability: Readability | null;
  /** `null` for a text without prose. */
  scores: Scores | null;
  keywords: Keyword[];
  summary: SummarySentence[];
  outline: OutlineEntry[];
  /** `null` if no lexicon exists for the language. */
  sentiment: Sentiment | null;
}

/** Returns the facts of a text. `language` is the main language. Deterministic. Takes linear time. */
export function textFacts(
  text: string,
  paragraphs: readonly Paragraph[],
  findings: readonly Finding[],
  language: string,
): TextFacts {
  const sentences = sentencesOfText(paragraphs, language);
  const readability = readabilityOf(sentences, language);
  const keywords = keywordsOf(paragraphs, sentences, language);
  return {
    statistics: statisticsOf(text, paragraphs, sentences),
    readability,
    scores: scoresOf(sentences, findings, readability),
    keywords,
    summary: summaryOf(text, sentences, keywords),
    outline: outlineOf(text, paragraphs),
    sentiment: sentimentOf(sentences, language),
  };
}
