import type { AnalysisResult, Issue, TextRange } from '@document-service/text-analysis/analysis';
import { paragraphsOf } from '@document-service/text-analysis/paragraphs';
import { isLowSurrogate } from '@document-service/text-analysis/text/prose';
import { sentencesOf } from '@document-service/text-analysis/text/sentences';
import { SERVICE_VERSION } from '../../../platform/config/project.js';
import { changedPart, placedRange, type AnnotatedText } from './annotated-text.js';
import type { CheckRequest } from './check-request.js';
import { languageName, variantOf } from './language-names.js';
import { categoryOf, isSelected, languageToolId } from './language-tool-ids.js';

const MAX_REPLACEMENTS = 20;
/** Units of text on each side of a match in `context`. */
const CONTEXT = 40;
/** Maximum length of `sentence`. Of a longer sentence, it contains the part around the match. */
const MAX_SENTENCE = 500;

/** A finding in the plain text, and the range that clients replace in the text with markup. */
interface Match {
  issue: Issue;
  plain: TextRange;
  placed: TextRange;
  replacements: string[];
}

/**
 * Returns the response of LanguageTool's API as JSON text. `result` is the JSON text of the `AnalysisResult` of the plain
 * text.
 */
export function checkResponse(
  request: Omit<CheckRequest, 'preferredVariants'>,
  result: string,
): string {
  const { text } = request;
  const { language, issues, issuesOmitted, effectiveSettings } = JSON.parse(
    result,
  ) as AnalysisResult;
  const code = language.source === 'requested' ? language.code : variantOf(language.code);
  const name = languageName(code);
  const sentences = sentencesIn(text.plain, code);
  const matches = issues
    .filter((issue) => isSelected(issue, code, request.isPicky, request.rules))
    .flatMap((issue) => matchOf(text, issue));
  let next = 0;
  return JSON.stringify({
    software: {
      name: 'Document Service',
      version: SERVICE_VERSION,
      apiVersion: 1,
      premium: false,
      status: '',
    },
    warnings: { incompleteResults: issuesOmitted > 0 || effectiveSettings.warnings.length > 0 },
    language: {
      name,
      code,
      detectedLanguage: { name, code, confidence: language.confidence },
    },
    matches: matches.map((match) => {
      while (next + 1 < sentences.length && (sentences[next]?.end ?? 0) <= match.plain.start)
        next += 1;
      return present(match, text.plain, sentences[next] ?? match.plain, code);
    }),
    sentenceRanges: sentences.flatMap((sentence) => {
      const placed = placedRange(text, sentence);
      return placed ? [[placed.start, placed.end]] : [];
    }),
  });
}

/** Returns a match with its place, or nothing for a finding in markup. */
function matchOf(text: AnnotatedText, issue: Issue): Match[] {
  const { start, end } = issue;
  const placed = placedRange(text, issue);
  if (!placed) return [];
  const values = issue.replacements.slice(0, MAX_REPLACEMENTS).map(({ value }) => value);
  if (!placed.hasMarkup) return [{ issue, plain: { start, end }, placed, replacements: values }];
  if (values.length > 0) {
    // Replacing the whole range would remove the markup in it, so replace only what changes.
    const { replacements, ...plain } = changedPart(text.plain.slice(start, end), issue, values);
    const changed = placedRange(text, plain);
    if (changed && !changed.hasMarkup) return [{ issue, plain, placed: changed, replacements }];
  }
  return [{ issue, plain: { start, end }, placed, replacements: [] }];
}

function present(
  { issue, plain, placed, replacements }: Match,
  text: string,
  sentence: TextRange,
  language: string,
) {
  const { id, name, issueType, typeName, title } = categoryOf(issue);
  return {
    message: issue.message,
    shortMessage: title,
    replacements: replacements.map((value) => ({ value })),
    offset: placed.start,
    length: placed.end - placed.start,
    context: contextOf(text, plain),
    sentence: sentenceAround(text, sentence, plain),
    type: { typeName },
    rule: {
      id: languageToolId(issue.ruleId, language),
      description: issue.explanation,
      issueType,
      category: { id, name },
      isPremium: false,
    },
    ignoreForIncompleteSentence: false,
    contextForSureMatch: 0,
  };
}

/** Returns the sentences of a plain text, in order. */
function sentencesIn(text: string, language: string): TextRange[] {
  return paragraphsOf(text, 'plain').flatMap(({ prose, start }) =>
    sentencesOf(prose, language).map((one) => ({ start: start + one.start, end: start + one.end })),
  );
}

/** Returns the text around a match in one line, as LanguageTool shows it in a terminal. */
function contextOf(text: string, { start, end }: TextRange) {
  const from = wholeCharacter(text, Math.max(0, start - CONTEXT));
  const to = wholeCharacter(text, Math.min(text.length, end + CONTEXT));
  const before = from > 0 ? '...' : '';
  const after = to < text.length ? '...' : '';
  const line = text.slice(from, to).replace(/[\n\r\t]/g, ' ');
  return {
    text: `${before}${line}${after}`,
    offset: before.length + start - from,
    length: end - start,
  };
}

function sentenceAround(text: string, sentence: TextRange, match: TextRange): string {
  let start = Math.min(sentence.start, match.start);
  let end = Math.max(sentence.end, match.end);
  if (end - start > MAX_SENTENCE) {
    const margin = Math.max(0, Math.floor((MAX_SENTENCE - (match.end - match.start)) / 2));
    start = wholeCharacter(text, Math.max(start, match.start - margin));
    end = wholeCharacter(text, Math.min(end, match.end + margin));
  }
  return text.slice(start, end);
}

/** Moves an offset by one unit if it splits a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  return isLowSurrogate(text, at) ? at - 1 : at;
}
