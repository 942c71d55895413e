import { createHash } from 'node:crypto';
import type { Issue } from '@document-service/text-analysis/analysis';
import { isSafe } from '@document-service/text-analysis/issues';
import type {
  AnalysisProvider,
  EnhanceOutcome,
  EnhanceRequest,
  Goal,
} from '../../src/features/analysis/providers/analysis-provider.js';
import type {
  AnalysisOutcome,
  AnalysisRequest,
} from '@document-service/text-analysis/analysis-request';

/** Wrong words with their corrections, best first. */
const WORDS: Readonly<Record<string, readonly [string, number][]>> = {
  teh: [['the', 0.97]],
  definately: [['definitely', 0.95]],
  recieve: [
    ['receive', 0.8],
    ['relieve', 0.2],
  ],
  thier: [['their', 0.7]],
  seperate: [
    ['separate', 0.95],
    ['desperate', 0.03],
  ],
  'teh recieve': [['the receiver', 0.95]],
  alot: [],
};

/** A provider that knows a few wrong words. Tests can delay it or make it fail. */
export class WordListProvider implements AnalysisProvider {
  readonly name = 'offline';
  readonly engine = { name: 'word-list', version: '1' };
  readonly goals: readonly Goal[] = ['correct', 'tone'];
  /** The next request waits for this. */
  until: Promise<unknown> = Promise.resolve();
  /** Every request fails with this. */
  failure: Error | undefined;
  /** Texts that were enhanced, in order. */
  readonly seen: string[] = [];
  /** Number of aborted requests. */
  aborted = 0;

  get(): AnalysisProvider {
    return this;
  }

  async enhance(request: EnhanceRequest, signal: AbortSignal): Promise<EnhanceOutcome> {
    this.seen.push(request.content);
    signal.addEventListener('abort', () => (this.aborted += 1));
    const aborted = new Promise((_, reject) => {
      signal.addEventListener('abort', () => {
        reject(new Error('Aborted'));
      });
    });
    await Promise.race([this.until, aborted]);
    if (this.failure) throw this.failure;
    const issues = issuesOf(request.content).filter(({ id }) => !request.dismissed.includes(id));
    const suggestions = issues.map((issue) => ({ ...issue, reason: issue.message }));
    return { suggestions, dropped: {}, warnings: [] };
  }

  async analyze(request: AnalysisRequest): Promise<AnalysisOutcome> {
    await this.until;
    if (this.failure) throw this.failure;
    const issues = issuesOf(request.content).map((issue) => ({
      ...issue,
      status: request.dismissed.includes(issue.id) ? 'rejected' : issue.status,
    }));
    const overall = Math.max(0, 100 - 10 * issues.length);
    const scores = { overall, correctness: overall, clarity: null, engagement: null };
    return {
      result: JSON.stringify({
        language: { code: 'en', source: 'detected', confidence: 1 },
        statistics: {},
        readability: null,
        scores,
        keywords: [],
        summary: [],
        issues,
        issuesOmitted: 0,
        engine: this.engine,
      }),
      paragraphs: '[]',
      overall,
      digest: {
        language: 'en',
        scores,
        issueCounts: { error: issues.length, warning: 0, style: 0 },
      },
    };
  }
}

/** Finds every known word, wherever it occurs, even one inside another. */
function issuesOf(content: string): Issue[] {
  const counts = new Map<string, number>();
  return Object.entries(WORDS)
    .flatMap(([word, replacements]) =>
      [...content.matchAll(new RegExp(`\\b${word}\\b`, 'g'))].map(({ index }) => ({
        word,
        start: index,
        replacements,
      })),
    )
    .sort((one, other) => one.start - other.start || other.word.length - one.word.length)
    .map(({ word, start, replacements }) => {
      const key = JSON.stringify([word, sentenceAt(content, start)]);
      const occurrence = (counts.get(key) ?? 0) + 1;
      counts.set(key, occurrence);
      const hash = createHash('sha256')
        .update(key + String(occurrence))
        .digest('base64url');
      const before = content.slice(0, start);
      const proposed = replacements.map(([value, confidence]) => ({ value, confidence }));
      return {
        id: `iss_${hash.slice(0, 22)}`,
        ruleId: 'spelling.unknown-word',
        category: 'spelling',
        severity: 'error',
        message: `“${word}” is not a word we know.`,
        explanation: 'It stands in a list of wrong words.',
        start,
        end: start + word.length,
        unit: 'utf16',
        line: before.split('\n').length,
        column: start - before.lastIndexOf('\n'),
        original: word,
        replacements: proposed,
        source: 'rule',
        safe: isSafe({ replacements: proposed }),
        status: 'open',
      };
    });
}

function sentenceAt(content: string, position: number): string {
  const start = Math.max(
    content.lastIndexOf('\n', position - 1),
    content.lastIndexOf('. ', position - 1),
  );
  const rest = content.slice(start + 1).search(/[.\n]/);
  return content.slice(start + 1, rest < 0 ? undefined : start + 1 + rest).trim();
}
