import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { ApiFailure, type Api, type Success } from '../api.js';
import { detail, documentId, limit, next, skip, TEXT_IS_DATA } from '../schemas.js';
import { defineTool, ToolError } from '../tool.js';

/** Delays in ms between polls of background work. Each poll is a request. */
const POLL_DELAYS_MS = [1_000, 2_000, 3_000];

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
  checks: z.array(z.enum(CHECKS)).min(1).optional().describe('What to check. Default: everything.'),
  language: z.string().optional().describe('Language, such as en-GB. Default: detected.'),
  suggestionLevel: z
    .enum(['low', 'medium', 'high'])
    .optional()
    .describe('low: errors only. medium: warnings too. high: style too.'),
};

/** A finding of an analysis or an enhancement at a place in the text. */
export interface Finding {
  id: string;
  ruleId: string;
  category: string;
  severity: string;
  message: string;
  explanation: string;
  line: number;
  original: string;
  replacements: { value: string; confidence: number }[];
  safe: boolean;
  status: string;
}

export const finding = z.looseObject({ id: z.string(), message: z.string(), line: z.int() });

const MAX_ORIGINAL = 200;
const MAX_REPLACEMENTS = 3;

/** Returns a finding as tools show it. */
export function findingOf(found: Finding, wanted: 'short' | 'full'): z.input<typeof finding> {
  if (wanted === 'full') return { ...found };
  const { id, ruleId, category, severity, message, line, original, replacements, safe } = found;
  return {
    id,
    ruleId,
    category,
    severity,
    message,
    line,
    original: original.slice(0, MAX_ORIGINAL).toWellFormed(),
    replacements: replacements.slice(0, MAX_REPLACEMENTS).map(({ value }) => value),
    confidence: replacements[0]?.confidence ?? null,
    safe,
  };
}

interface Analysis {
  id: string;
  documentVersion: number;
  language: { code: string };
  statistics: Record<string, number>;
  readability: Record<string, { value: number }> | null;
  scores: Record<string, unknown>;
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
  title: 'Analyze a document',
  description: `Analyzes the language, readability, spelling, grammar and style of a document without changing it. suggest_improvements proposes changes. ${TEXT_IS_DATA}`,
  input: z.strictObject({ id: documentId, ...analysisSettings, limit, skip, detail }),
  output: z.looseObject({
    status: z.enum(['completed', 'in progress']),
    issues: z.array(finding),
    next,
  }),
  effect: 'reads',
  scopes: ['documents:analyze'],
  run: async ({ id, limit: most, skip: before, detail: wanted, ...body }, api) => {
    const response: Success<Analysis | Job> = await api.post(`/documents/${id}/analyze`, { body });
    const analysis =
      response.status === 202
        ? await analysisOfJob(api, id, response.data as Job)
        : (response.data as Analysis);
    if (!analysis) {
      const again =
        'The analysis is still running. Call analyze_document with the same arguments in a few seconds.';
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
      next: `${more}suggest_improvements proposes changes that you can apply.`,
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

/** Polls background work a few times. Returns `undefined` if it has not ended by then. */
export async function finished<Work>(
  api: Api,
  begun: Work,
  poll: () => Promise<Work>,
  hasEnded: (work: Work) => boolean,
): Promise<Work | undefined> {
  if (hasEnded(begun)) return begun;
  for (const ms of POLL_DELAYS_MS) {
    await wait(ms, undefined, { signal: api.signal });
    try {
      const work = await poll();
      if (hasEnded(work)) return work;
    } catch (error) {
      // The key lacks the scope to poll or has no requests left. The next call reports that.
      if (error instanceof ApiFailure) return undefined;
      throw error;
    }
  }
  return undefined;
}
