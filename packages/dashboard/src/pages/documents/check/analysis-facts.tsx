import { Facts } from '../../../components/facts.js';
import { countOf, formatCount } from '../../../components/numbers.js';
import classes from '../document-page.module.css';
import type { Analysis } from './use-analysis.js';

const SCORES = [
  ['overall', 'Overall'],
  ['correctness', 'Correctness'],
  ['clarity', 'Clarity'],
  ['engagement', 'Engagement'],
] as const;

/** What the correctness score is based on, unless all checks ran. */
const CORRECTNESS_BASIS: Readonly<Record<string, string>> = {
  partial: 'Some checks',
  spelling: 'Spelling only',
  none: 'No checks',
};

/** Scores and statistics of a text. */
export function AnalysisFacts({ analysis }: { analysis: Analysis }) {
  const { scores, readability, statistics, language, unsupportedChecks } = analysis;
  return (
    <>
      <dl className={classes.scores}>
        {SCORES.map(([key, name]) => (
          <div key={key}>
            <dt>{name}</dt>
            <dd>{scores[key] === null ? '–' : Math.round(scores[key])}</dd>
          </div>
        ))}
      </dl>
      <Facts
        of={[
          ['Language', languageName(language.code)],
          ['Correctness is based on', CORRECTNESS_BASIS[scores.basis?.correctness ?? 'full']],
          ['Words', formatCount(statistics.words)],
          ['Sentences', formatCount(statistics.sentences)],
          ['Reading time', readingTime(statistics.readingTimeSeconds)],
          ['Reading ease', readability && readability.fleschReadingEase.value.toFixed(0)],
          ['Grade level', readability && readability.fleschKincaidGrade.value.toFixed(0)],
          [
            'Skipped checks',
            unsupportedChecks.length > 0 &&
              unsupportedChecks.map(({ check, language: code }) => `${check} (${code})`).join(', '),
          ],
        ]}
      />
    </>
  );
}

function languageName(code: string): string {
  if (code === 'und') return 'Unknown';
  try {
    return new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code;
  } catch {
    return code;
  }
}

function readingTime(seconds: number): string {
  return seconds < 60 ? 'less than a minute' : countOf(Math.round(seconds / 60), 'minute');
}
