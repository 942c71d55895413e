import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { ApiFailure, type Api, type Success } from '../api.js';
import { detail, documentId, limit, next, skip, TEXT_IS_DATA } from '../schemas.js';
import { defineTool, ToolError } from '../tool.js';

/** When work in the background is looked at, in milliseconds after the look before; each is a request. */
const LOOKS_MS = [1_000, 2_000, 3_000];

const CHECKS = [
  'spelling',
  'grammar',
  'punctuation',
  'casing',
  'repetition',
  'wordiness',
  'passive',
  'inclusive',
  'simplicity',
  'length',
  'house-style',
] as const;

export const analysisSettings = {
  checks: z
    .array(z.enum(CHECKS))
    .min(1)
    .optional()
    .describe('What to look for; all of it if left out.'),
  language: z.string().optional().describe('Such as en-GB; it is detected if left out.'),
  suggestionLevel: z
    .enum(['low', 'medium', 'high'])
    .optional()
    .describe('low: errors only. medium: warnings too. high: style too.'),
};

/** What analyses and enhancements find at a place in the text. */
export interface Finding {
  id: string;
  category: string;
  severity: string;
  message: string;
  explanation: string;
  line: number;
  original: string;
  replacements: { value: string; confidence: number }[];
  status: string;
}

export const finding = z.looseObject({ id: z.string(), message: z.string(), line: z.int() });

const MAX_ORIGINAL = 200;
const MAX_REPLACEMENTS = 3;

/** A finding as tools tell it. */
export function findingOf(found: Finding, wanted: 'short' | 'full'): z.input<typeof finding> {
  if (wanted === 'full') return { ...found };
  const { id, category, severity, message, line, original, replacements } = found;
  return {
    id,
    category,
    severity,
    message,
    line,
    original: original.slice(0, MAX_ORIGINAL).toWellFormed(),
    replacements: replacements.slice(0, MAX_REPLACEMENTS).map(({ value }) => value),
  };
}

interface Analysis {
  id: string;
  documentVersion: number;
  language: { code: string };
  statistics: Record<string, number>;
  readability: Record<string, { value: number }> | null;
  scores: Record<string, number | null>;
  keywords: { term: string }[];
  summary: { text: string }[];
  issues: Finding[];
  issuesOmitted: number;
  [field: string]: unknown;
}

interface Job {
  id: string;
  status: string;
  result: { analysisId?: string } | null;
  error: { message: string } | null;
}

export const analyzeDocument = defineTool({
  name: 'analyze_document',
  title: 'Analyse a document',
  description: `Looks at the language, readability, spelling, grammar and style of a document; nothing of it changes. suggest_improvements proposes changes. ${TEXT_IS_DATA}`,
  input: z.strictObject({ id: documentId, ...analysisSettings, limit, skip, detail }),
  output: z.looseObject({
    status: z.enum(['completed', 'in progress']),
    issues: z.array(finding),
    next,
  }),
  effect: 'reads',
  run: async ({ id, limit: most, skip: before, detail: wanted, ...body }, api) => {
    const answer: Success<Analysis | Job> = await api.post(`/documents/${id}/analyze`, { body });
    const analysis =
      answer.status === 202
        ? await analysisOfJob(api, id, answer.data as Job)
        : (answer.data as Analysis);
    if (!analysis) {
      const again =
        'It takes longer. Call analyze_document with the same arguments in a few seconds.';
      return { status: 'in progress' as const, issues: [], next: again };
    }
    const shown = analysis.issues
      .slice(before, before + most)
      .map((issue) => findingOf(issue, wanted));
    const total = analysis.issues.length + analysis.issuesOmitted;
    const seen = before + shown.length;
    const more =
      seen < analysis.issues.length
        ? `${String(shown.length)} of ${String(total)} issues shown: call analyze_document with skip: ${String(seen)} for the next ones. `
        : '';
    return {
      ...(wanted === 'full' ? analysis : shortOf(analysis)),
      status: 'completed' as const,
      issues: shown,
      totalIssues: total,
      next: `${more}suggest_improvements proposes changes that can be applied.`,
    };
  },
});

function shortOf(analysis: Analysis): Record<string, unknown> {
  const { id, documentVersion, language, statistics, readability, scores } = analysis;
  return {
    id,
    documentVersion,
    language: language.code,
    statistics,
    readability:
      readability &&
      Object.fromEntries(Object.entries(readability).map(([name, { value }]) => [name, value])),
    scores,
    keywords: analysis.keywords.map(({ term }) => term),
    summary: analysis.summary.map(({ text }) => text),
  };
}

async function analysisOfJob(api: Api, id: string, begun: Job): Promise<Analysis | undefined> {
  const job = await finished(
    api,
    begun,
    async () => (await api.get<Job>(`/jobs/${begun.id}`)).data,
    ({ status }) => status !== 'queued' && status !== 'running',
  );
  if (!job) return undefined;
  if (job.error) throw new ToolError(`${job.error.message} Call analyze_document again.`);
  const { analysisId } = job.result ?? {};
  if (analysisId === undefined) return undefined;
  return (await api.get<Analysis>(`/documents/${id}/analyses/${analysisId}`)).data;
}

/** Looks a few times at what is done in the background; `undefined` when it has not ended by then. */
export async function finished<Work>(
  api: Api,
  begun: Work,
  look: () => Promise<Work>,
  hasEnded: (work: Work) => boolean,
): Promise<Work | undefined> {
  if (hasEnded(begun)) return begun;
  for (const ms of LOOKS_MS) {
    await wait(ms, undefined, { signal: api.signal });
    try {
      const work = await look();
      if (hasEnded(work)) return work;
    } catch (error) {
      // The key may not look, or has no request left: whoever asks again later is told.
      if (error instanceof ApiFailure) return undefined;
      throw error;
    }
  }
  return undefined;
}
