import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Config } from '../../platform/config/config.js';
import { Database } from '../../platform/database/database.js';
import {
  RunsJobs,
  type JobInput,
  type JobKind,
  type JobOutput,
  type JobRun,
  type JobRunner,
} from '../jobs/job-kind.js';
import { StoredFiles } from '../jobs/stored-files.js';
import { AccountRulesService } from './account-rules.service.js';
import { ANALYSIS_JOB } from './analysis-job.js';
import { SETTINGS } from './analysis-settings.js';
import { TEXT_FORMATS } from '@document-service/text-analysis/analysis-request';
import { AnalysisProviders } from './providers/analysis-providers.js';

export const ANALYZE_TEXT = {
  ...ANALYSIS_JOB,
  name: 'text.analyze',
  input: z.object({ settings: SETTINGS, format: z.enum(TEXT_FORMATS) }),
} as const satisfies JobKind;

export type AnalyzeTextInput = JobInput<typeof ANALYZE_TEXT>;

/** Analyses a text that is not stored; the job shows what was found. */
@RunsJobs(ANALYZE_TEXT)
@Injectable()
export class AnalyzeText implements JobRunner<AnalyzeTextInput> {
  private readonly accounts: AccountRulesService;

  constructor(
    database: Database,
    private readonly files: StoredFiles,
    private readonly providers: AnalysisProviders,
    config: Config,
  ) {
    this.accounts = new AccountRulesService(database, config);
  }

  async run({
    accountId,
    input,
    inputFileId,
    signal,
  }: JobRun<AnalyzeTextInput>): Promise<JobOutput> {
    const file = await this.files.open({ accountId, id: inputFileId ?? '' });
    if (!file) throw new Error('The text of this job is gone.');
    const pieces: Buffer[] = [];
    for await (const piece of file.content) pieces.push(piece as Buffer);
    const { rules, provider } = await this.accounts.of(accountId);
    const { settings, format } = input;
    const { result } = await this.providers.of(provider).analyze(
      {
        accountId,
        content: Buffer.concat(pieces).toString(),
        format,
        settings,
        rules,
        dismissed: [],
        kept: null,
      },
      signal,
    );
    return { json: JSON.parse(result) as Record<string, unknown> };
  }
}
