import { Injectable } from '@nestjs/common';
import { z } from 'zod';
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
import type { Issue, StyleRule } from '@document-service/text-analysis/analysis';
import { StyleRulesRepository } from './style-rules.repository.js';
import { OfflineProvider } from '../providers/offline/offline-provider.js';

export const DRY_RUN_STYLE_RULES = {
  name: 'style-rules.dry-run',
  scope: 'documents:analyze',
  reads: 'account',
  input: z.object({ version: z.int().positive() }),
  runsIn: 'process',
  limits: {
    concurrency: 2,
    concurrencyPerAccount: 1,
    unfinishedPerAccount: 5,
    timeLimitMs: 60 * 60 * 1000,
    maxAttempts: 3,
  },
} as const satisfies JobKind;

type Input = JobInput<typeof DRY_RUN_STYLE_RULES>;

/** Maximum documents in the result. */
const MAX_DOCUMENTS = 100;
/** Maximum findings that the result shows per rule. */
const MAX_EXAMPLES = 5;
const EXAMPLE_CHARACTERS = 200;

const FIRST_UUID = '00000000-0000-0000-0000-000000000000';

interface RuleCount {
  ruleId: string;
  findings: number;
  documents: number;
  examples: { documentId: string; line: number; original: string }[];
}

/** Counts what a version of an account's style rules would find in its documents. Only the counts are stored. */
@RunsJobs(DRY_RUN_STYLE_RULES)
@Injectable()
export class DryRunStyleRules implements JobRunner<Input> {
  constructor(
    private readonly sets: StyleRulesRepository,
    private readonly provider: OfflineProvider,
  ) {}

  async run({ accountId, input, signal, report }: JobRun<Input>): Promise<JobOutput> {
    const set = await this.sets.find(accountId, input.version);
    if (!set) throw notFound('version');
    const styleRules = JSON.parse(set.rules) as StyleRule[];
    const total = await this.sets.countDocuments(accountId);
    const rules = new Map<string, RuleCount>();
    const documents: { documentId: string; title: string; findings: number }[] = [];
    let [done, findings, withFindings] = [0, 0, 0];
    for (let after = FIRST_UUID; ; done += 1) {
      signal.throwIfAborted();
      report({ done: Math.min(done, total), total });
      const row = await this.sets.nextDocument(accountId, after);
      if (!row) break;
      after = row.id;
      const outcome = await this.provider.analyze(
        {
          accountId,
          content: row.content,
          format: 'markdown',
          // Style rules do not depend on the language, so skip language detection.
          settings: { checks: ['house-style'], language: 'en', suggestionLevel: 'high' },
          rules: { words: [], styleRules },
          dismissed: [],
          kept: null,
          isBackground: true,
        },
        signal,
      );
      const { issues, issuesOmitted } = JSON.parse(outcome.result) as {
        issues: Issue[];
        issuesOmitted: number;
      };
      const found = issues.length + issuesOmitted;
      if (found === 0) continue;
      const documentId = encodeId('document', row.id);
      findings += found;
      withFindings += 1;
      documents.push({ documentId, title: row.title, findings: found });
      documents.sort((one, other) => other.findings - one.findings);
      documents.splice(MAX_DOCUMENTS);
      countRules(rules, documentId, issues);
    }
    return {
      json: {
        version: input.version,
        documents: done,
        documentsWithFindings: withFindings,
        findings,
        rules: [...rules.values()].sort((one, other) => other.findings - one.findings),
        mostFindings: documents,
      },
    };
  }
}

function countRules(rules: Map<string, RuleCount>, documentId: string, issues: Issue[]): void {
  const here = new Set<string>();
  for (const { ruleId, line, original } of issues) {
    const count = rules.get(ruleId) ?? { ruleId, findings: 0, documents: 0, examples: [] };
    rules.set(ruleId, count);
    count.findings += 1;
    if (!here.has(ruleId)) count.documents += 1;
    here.add(ruleId);
    if (count.examples.length < MAX_EXAMPLES) {
      count.examples.push({ documentId, line, original: original.slice(0, EXAMPLE_CHARACTERS) });
    }
  }
}
