import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Database } from '../../../platform/database/database.js';
import { DocumentAnnouncementsService } from '../../documents/changes/document-announcements.service.js';
import { notFound } from '../../../platform/basics/errors/app-error.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import {
  RunsJobs,
  type JobInput,
  type JobKind,
  type JobOutput,
  type JobRun,
  type JobRunner,
} from '../../jobs/queue/job-kind.js';
import { AnalyzedDocumentsService } from '../analyses/analyzed-documents.service.js';
import { ANALYSIS_JOB } from '../analyses/analysis-jobs.js';
import { AnalysisProviders } from '../providers/analysis-providers.js';
import type { Goal, ProposedEdit } from '../providers/analysis-provider.js';
import type { Suggestion } from './enhancement.js';
import {
  EnhancementsRepository,
  type Enhancement,
  type MadeEnhancement,
} from './enhancements.repository.js';
import { splitsPair } from '../../content/text/text-edits.js';
import { contentProblem } from '../../content/text-fields.js';
import { placesOf } from './apply-suggestions.js';

export const ENHANCE_DOCUMENT = {
  ...ANALYSIS_JOB,
  name: 'document.enhance',
  limits: {
    ...ANALYSIS_JOB.limits,
    // More than for analyses: most long ones wait for a model for minutes, and must not delay those of other accounts.
    long: { concurrency: 6, concurrencyPerAccount: 1 },
  },
  reads: 'document',
  input: z.object({ documentId: z.uuid(), enhancementId: z.uuid() }),
} as const satisfies JobKind;

type Input = JobInput<typeof ENHANCE_DOCUMENT>;

/** Creates the suggestions of a pending enhancement and emits `document.enhanced`. */
@RunsJobs(ENHANCE_DOCUMENT)
@Injectable()
export class EnhanceDocument implements JobRunner<Input> {
  constructor(
    private readonly database: Database,
    private readonly documents: AnalyzedDocumentsService,
    private readonly enhancements: EnhancementsRepository,
    private readonly announcements: DocumentAnnouncementsService,
    private readonly providers: AnalysisProviders,
    private readonly clock: Clock,
  ) {}

  async run(job: JobRun<Input>): Promise<JobOutput> {
    const { accountId, input, signal, report } = job;
    const { documentId, enhancementId } = input;
    const output = { json: { enhancementId: encodeId('enhancement', enhancementId) } };
    const enhancement = await this.enhancements.find(accountId, documentId, enhancementId);
    if (!enhancement) throw notFound('document');
    const { access } = job.context;
    const target = { access, documentId, number: enhancement.baseVersion };
    const { account, text } = await this.documents.read(target);
    if (enhancement.status !== 'pending') return output;
    const { tone, targetLanguage, ...settings } = enhancement.settings;
    const provider = this.providers.get(account.provider);
    report({ done: 0, total: null });
    const outcome = await provider.enhance(
      {
        ...text,
        settings,
        goals: enhancement.goals as Goal[],
        instructions: enhancement.instructions,
        tone,
        targetLanguage,
      },
      signal,
      report,
    );
    const disabled = new Set(text.rules.disabledRules);
    const edits = outcome.suggestions.filter(({ ruleId }) => !disabled.has(ruleId));
    const { suggestions, dropped } = checkedSuggestions(text.content, edits);
    const { warnings, texts = [] } = outcome;
    const made: MadeEnhancement = {
      id: enhancementId,
      suggestions,
      notes: { dropped: sum(outcome.dropped, dropped), warnings, texts },
      engine: provider.engine,
      updatedAt: this.clock.now(),
    };
    await this.database.transaction(() => this.store(enhancement, made, job));
    return output;
  }

  /** Commits the suggestions and the event together. */
  private async store(
    { documentId, baseVersion, goals, automatic }: Enhancement,
    made: MadeEnhancement,
    { context }: JobRun<Input>,
  ): Promise<void> {
    await this.announcements.announce(
      'document.enhanced',
      { documentId, context },
      {
        enhancement: {
          id: encodeId('enhancement', made.id),
          baseVersion,
          goals,
          automatic,
          suggestions: made.suggestions.length,
          bySeverity: tally(made.suggestions, 'severity'),
          byCategory: tally(made.suggestions, 'category'),
        },
      },
    );
    // `announce` locks the document first, in the same order as SuggestionReviewService.
    if (!(await this.enhancements.fill(made))) throw notFound('enhancement');
  }
}

function tally(suggestions: readonly Suggestion[], by: 'severity' | 'category') {
  const counts: Record<string, number> = {};
  for (const suggestion of suggestions) counts[suggestion[by]] = (counts[suggestion[by]] ?? 0) + 1;
  return counts;
}

function sum(one: Record<string, number>, other: Record<string, number>): Record<string, number> {
  const total = { ...one };
  for (const [name, count] of Object.entries(other)) total[name] = (total[name] ?? 0) + count;
  return total;
}

/** Maximum suggestions per enhancement. */
const MAX_SUGGESTIONS = 2_000;

/**
 * Converts a provider's edits to suggestions in text order. Drops edits whose range does not match the text or whose
 * replacement cannot be stored, and counts them by reason.
 */
function checkedSuggestions(
  content: string,
  edits: readonly ProposedEdit[],
): { suggestions: Suggestion[]; dropped: Record<string, number> } {
  const dropped: Record<string, number> = {};
  const ids = new Set<string>();
  const suggestions: Suggestion[] = [];
  const inOrder = [...edits].sort((one, other) => one.start - other.start || one.end - other.end);
  const places = placesOf(content, inOrder.map(({ start }) => start)); // prettier-ignore
  for (const [index, edit] of inOrder.entries()) {
    const problem = ids.has(edit.id) ? 'repeated' : problemOf(content, edit);
    const why = problem ?? (suggestions.length === MAX_SUGGESTIONS ? 'too many' : undefined);
    if (why !== undefined) {
      dropped[why] = (dropped[why] ?? 0) + 1;
      continue;
    }
    ids.add(edit.id);
    suggestions.push({
      ...edit,
      ...places[index],
      status: 'open',
      chosen: null,
      appliedVersion: null,
    });
  }
  return { suggestions, dropped };
}

function problemOf(content: string, edit: ProposedEdit): string | undefined {
  const { start, end, original, replacements } = edit;
  const isRange = Number.isInteger(start) && Number.isInteger(end) && 0 <= start && start <= end;
  if (!isRange || end > content.length || content.slice(start, end) !== original) {
    return 'wrong range';
  }
  if (splitsPair(content, start) || splitsPair(content, end)) return 'wrong range';
  const canBeStored = replacements.every(
    ({ value }) =>
      value.isWellFormed() && !value.includes('\0') && contentProblem(value) === undefined,
  );
  return canBeStored ? undefined : 'text that cannot be stored';
}
