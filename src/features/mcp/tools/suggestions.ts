import { z } from 'zod';
import { ifMatch, type Api, type Success } from '../api.js';
import {
  detail,
  documentId,
  enhancementId,
  limit,
  next,
  skip,
  TEXT_IS_DATA,
  versionSeen,
} from '../schemas.js';
import { defineTool } from '../tool.js';
import { analysisSettings, finding, findingOf, finished, type Finding } from './analysis.js';

const GOALS = [
  'correct',
  'consistency',
  'simplify',
  'clarity',
  'rewrite',
  'tone',
  'shorten',
  'expand',
  'summarise',
  'translate',
  'title',
  'custom',
] as const;

interface Enhancement {
  id: string;
  baseVersion: number;
  status: string;
  suggestionCounts: Record<string, number>;
  warnings: string[];
  texts: { goal: string; text: string; source: string }[];
  error: { message: string } | null;
  suggestions: Finding[];
  fieldChanges: { id: string; field: string; from: unknown; to: unknown; status: string }[];
  preview: string | null;
  enhancementId?: string;
}

const suggestions = z.looseObject({
  enhancementId: z.string(),
  status: z.string(),
  suggestions: z.array(finding),
  next,
});

type Detail = 'short' | 'full';

function isPending({ status }: Enhancement): boolean {
  return status === 'pending';
}

function read(api: Api, id: string, enhancement: string): Promise<Success<Enhancement>> {
  return api.get(`/documents/${id}/enhancements/${enhancement}`);
}

export const suggestImprovements = defineTool({
  name: 'suggest_improvements',
  title: 'Suggest improvements',
  description: `Generates suggestions for a document, each with an id. Only apply_suggestions changes the text. The goals \`correct\`, \`consistency\`, \`simplify\` and \`title\` always work; the others need a language model that the account has set up. Suggestions without replacements are hints. ${TEXT_IS_DATA}`,
  input: z.strictObject({
    id: documentId,
    goals: z.array(z.enum(GOALS)).min(1).optional().describe('Default: `correct`.'),
    instructions: z.string().min(1).max(2_000).optional().describe('For the goal `custom`.'),
    tone: z.string().min(1).optional().describe('For the goal `tone`, such as formal.'),
    targetLanguage: z.string().min(1).optional().describe('For the goal `translate`, such as de.'),
    ...analysisSettings,
    limit,
    detail,
  }),
  output: suggestions,
  effect: 'adds',
  scopes: ['documents:analyze'],
  run: async ({ id, limit: most, detail: wanted, ...body }, api) => {
    const { status, data } = await api.post<Enhancement>(`/documents/${id}/enhance`, { body });
    const range = { limit: most, skip: 0 };
    if (status !== 202) return shown(data, range, wanted);
    const enhancement = data.enhancementId ?? '';
    const begun = { ...data, id: enhancement, status: 'pending' };
    const ended = await finished(
      api,
      begun,
      async () => (await read(api, id, enhancement)).data,
      (work) => !isPending(work),
    );
    return ended ? shown(ended, range, wanted) : stillPending(enhancement);
  },
});

export const listSuggestions = defineTool({
  name: 'list_suggestions',
  title: 'List suggestions',
  description: `Lists the open suggestions of an enhancement or a proposal, by default the newest one of the document. ${TEXT_IS_DATA}`,
  input: z.strictObject({
    id: documentId,
    enhancementId: enhancementId.optional(),
    limit,
    skip,
    detail,
  }),
  output: suggestions,
  effect: 'reads',
  scopes: ['documents:read'],
  run: async ({ id, enhancementId: named, detail: wanted, ...range }, api) => {
    const enhancement = named ?? (await newest(api, id));
    if (enhancement === undefined) {
      const none = 'There are no suggestions yet: suggest_improvements generates some.';
      return { enhancementId: '', status: 'none', suggestions: [], next: none };
    }
    const { data } = await read(api, id, enhancement);
    return isPending(data) ? stillPending(enhancement) : shown(data, range, wanted);
  },
});

async function newest(api: Api, id: string): Promise<string | undefined> {
  const { data } = await api.get<Enhancement[]>(`/documents/${id}/enhancements`, { limit: 1 });
  return data[0]?.id;
}

const chosen = z
  .union([z.literal('all'), z.array(z.string()).min(1).max(2_000)])
  .describe('Ids of suggestions, or "all".');

export const applySuggestions = defineTool({
  name: 'apply_suggestions',
  title: 'Apply suggestions',
  description:
    'Applies suggestions to the text, as one new version; restore_version can undo it. If the text has changed, suggestions are moved or skipped. If you send the version you have seen, nothing is done when it has changed.',
  input: z.strictObject({
    id: documentId,
    enhancementId,
    suggestionIds: chosen,
    replacements: z
      .record(z.string(), z.string())
      .optional()
      .describe('Replacement to use instead of the first one, by suggestion id.'),
    version: versionSeen.optional(),
  }),
  output: z.looseObject({ version: z.int(), applied: z.array(z.string()), next }),
  effect: 'changes to the same',
  scopes: ['documents:write'],
  run: async ({ id, enhancementId: enhancement, version, ...body }, api) => {
    const { data } = await api.post<
      Enhancement & { documentVersion: number; conflicts: { id: string; with: string }[] }
    >(`/documents/${id}/enhancements/${enhancement}/apply`, { body, headers: ifMatch(version) });
    const applied = data.suggestions.filter(({ status }) => status === 'accepted');
    return {
      version: data.documentVersion,
      status: data.status,
      applied: applied.map((suggestion) => suggestion.id),
      suggestionCounts: data.suggestionCounts,
      conflicts: data.conflicts,
      next: `The document is at version ${String(data.documentVersion)}: diff_versions shows the changes, list_suggestions the remaining suggestions.`,
    };
  },
});

export const rejectSuggestions = defineTool({
  name: 'reject_suggestions',
  title: 'Reject suggestions',
  description:
    'Rejects suggestions, so that they are not repeated for the same sentence. The text stays unchanged.',
  input: z.strictObject({ id: documentId, enhancementId, suggestionIds: chosen }),
  output: z.looseObject({ status: z.string(), next }),
  effect: 'changes to the same',
  scopes: ['documents:analyze'],
  // Proposals need this one.
  orScopes: ['documents:write'],
  run: async ({ id, enhancementId: enhancement, ...body }, api) => {
    const path = `/documents/${id}/enhancements/${enhancement}/reject`;
    const { status, suggestionCounts } = (await api.post<Enhancement>(path, { body })).data;
    return { status, suggestionCounts, next: 'list_suggestions shows the remaining suggestions.' };
  },
});

function stillPending(enhancement: string): z.input<typeof suggestions> {
  return {
    enhancementId: enhancement,
    status: 'pending',
    suggestions: [],
    next: `The suggestions are still being generated. Call list_suggestions with enhancementId: ${enhancement} in a few seconds.`,
  };
}

/** The range of open suggestions to show. */
interface Range {
  limit: number;
  skip: number;
}

function shown(
  enhancement: Enhancement,
  range: Range,
  wanted: Detail,
): z.input<typeof suggestions> {
  const { id, baseVersion, status, suggestionCounts, warnings, texts, error, preview } =
    enhancement;
  const open = enhancement.suggestions.filter((suggestion) => suggestion.status === 'open');
  const listed = open.slice(range.skip, range.skip + range.limit);
  const fieldChanges = enhancement.fieldChanges
    .filter((change) => change.status === 'open')
    .map(({ id: changeId, field, from, to }) => ({ id: changeId, field, from, to }));
  return {
    enhancementId: id,
    baseVersion,
    status,
    suggestionCounts,
    ...(warnings.length > 0 && { warnings }),
    ...(texts.length > 0 && { texts }),
    ...(error && { error: error.message }),
    suggestions: listed.map((suggestion) => findingOf(suggestion, wanted)),
    ...(fieldChanges.length > 0 && range.skip === 0 && { fieldChanges }),
    ...(wanted === 'full' && { preview }),
    next:
      open.length + fieldChanges.length > 0
        ? nextStep(open.length, range.skip + listed.length)
        : 'There are no open suggestions.',
  };
}

function nextStep(open: number, seen: number): string {
  const more =
    seen < open
      ? `There are ${String(open)} open suggestions: call list_suggestions with skip: ${String(seen)} for the next ones. `
      : '';
  return `${more}Show them to the user, then call apply_suggestions or reject_suggestions with their ids.`;
}
