import type { Finding, Scores } from '../analysis.js';
import { type Keyword, keywordsOf } from './keywords.js';
import { type OutlineEntry, outlineOf } from './outline.js';
import { type Readability, readabilityOf } from './readability.js';
import type { WordOrder } from './english-form.js';
import { type Coverage, scoresOf } from './scores.js';
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
  scores: Scores;
  keywords: Keyword[];
  summary: SummarySentence[];
  outline: OutlineEntry[];
  /** `null` if no lexicon exists for the language. */
  sentiment: Sentiment | null;
}

/** What the facts of a text depend on beside the text. */
export interface TextFactsContext {
  /** Main language of the text. */
  language: string;
  /** As in `TextToScore`. */
  coverage: Coverage;
  wordOrder: WordOrder | null;
  /** Returns how often a lower-case word occurs in general English. `null` for other languages. */
  frequency: ((word: string) => number) | null;
}

/** Returns the facts of a text. Deterministic. Takes linear time. */
export function textFacts(
  text: string,
  paragraphs: readonly Paragraph[],
  findings: readonly Finding[],
  { language, coverage, wordOrder, frequency }: TextFactsContext,
): TextFacts {
  const sentences = sentencesOfText(paragraphs, language);
  const readability = readabilityOf(sentences, language);
  const keywords = keywordsOf(paragraphs, sentences, language, frequency);
  return {
    statistics: statisticsOf(text, paragraphs, sentences),
    readability,
    scores: scoresOf({ sentences, findings, readability, language, coverage, wordOrder }, text),
    keywords,
    summary: summaryOf(text, sentences, keywords),
    outline: outlineOf(text, paragraphs),
    sentiment: sentimentOf(sentences, language),
  };
}
