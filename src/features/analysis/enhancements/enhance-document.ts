import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Clock } from '../../../platform/basics/clock/clock.js';
import { Config } from '../../../platform/config/config.js';
import { Database } from '../../../platform/database/database.js';
import { DocumentAnnouncements } from '../../documents/changes/document-announcements.js';
import { notFound } from '../../../platform/basics/errors/app-error.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import {
  RunsJobs,
  type JobInput,
  type JobKind,
  type JobOutput,
  type JobRun,
  type JobRunner,
} from '../../jobs/job-kind.js';
import { ANALYSIS_JOB } from '../analysis-job.js';
import { DocumentsToAnalyze } from '../documents-to-analyze.js';
import { AnalysisProviders } from '../providers/analysis-providers.js';
import type { Goal } from '../providers/analysis-provider.js';
import { checkedSuggestions } from './checked-suggestions.js';
import type { Suggestion } from './enhancement.js';
import {
  EnhancementsRepository,
  type Enhancement,
  type MadeEnhancement,
} from './enhancements.repository.js';

export const ENHANCE_DOCUMENT = {
  ...ANALYSIS_JOB,
  name: 'document.enhance',
  input: z.object({ documentId: z.uuid(), enhancementId: z.uuid() }),
} as const satisfies JobKind;

type Input = JobInput<typeof ENHANCE_DOCUMENT>;

/** Makes the suggestions of an enhancement that was ordered, and tells of it. */
@RunsJobs(ENHANCE_DOCUMENT)
@Injectable()
export class EnhanceDocument implements JobRunner<Input> {
  private readonly documents: DocumentsToAnalyze;
  private readonly announcements: DocumentAnnouncements;
  private readonly enhancements: EnhancementsRepository;

  constructor(
    private readonly database: Database,
    private readonly providers: AnalysisProviders,
    private readonly clock: Clock,
    config: Config,
  ) {
    this.documents = new DocumentsToAnalyze(database, config);
    this.announcements = new DocumentAnnouncements(database, clock);
    this.enhancements = new EnhancementsRepository(database);
  }

  async run(job: JobRun<Input>): Promise<JobOutput> {
    const { accountId, input, signal, report } = job;
    const { documentId, enhancementId } = input;
    const output = { json: { enhancementId: encodeId('enhancement', enhancementId) } };
    const enhancement = await this.enhancements.find(accountId, documentId, enhancementId);
    if (!enhancement) throw notFound('document');
    const { baseVersion } = enhancement;
    const { account, text } = await this.documents.read(accountId, documentId, baseVersion);
    if (enhancement.status !== 'pending') return output;
    const { tone, targetLanguage, ...settings } = enhancement.settings;
    const provider = this.providers.of(account.provider);
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
    const { suggestions, dropped } = checkedSuggestions(text.content, outcome.suggestions);
    const made: MadeEnhancement = {
      id: enhancementId,
      suggestions,
      notes: {
        dropped: sum(outcome.dropped, dropped),
        warnings: outcome.warnings,
        texts: outcome.texts ?? [],
      },
      engine: provider.engine,
      updatedAt: this.clock.now(),
    };
    await this.database.transaction(() => this.store(enhancement, made, job));
    return output;
  }

  /** Suggestions and event commit together. */
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
    // The document is locked before its enhancement, as by who applies suggestions.
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
