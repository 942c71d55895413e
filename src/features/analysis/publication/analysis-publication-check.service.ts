import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '../../auth/request-context.js';
import type {
  CheckedVersion,
  PublicationCheck,
  PublicationProblem,
} from '../../documents/publishing/publication-checks.js';
import { PublicationGate } from '../../documents/publishing/publication-gate.service.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import { ANALYZE_DOCUMENT } from '../analyses/analysis-jobs.js';
import { AnalysisOrdersService } from '../analyses/analysis-orders.service.js';
import { effectiveSettings, settingsHash } from '../analyses/analysis-settings.js';
import { AccountRulesService } from '../settings/account-settings.service.js';
import {
  PublicationEvidenceRepository,
  type Evidence,
  type WantedEvidence,
} from './publication-evidence.repository.js';

/**
 * Checks the analysis and the open suggestions of versions. An analysis counts if it is of the same text and has the
 * settings of the document and the present rules, dictionary, engine and dismissals.
 */
@Injectable()
export class AnalysisPublicationCheck implements PublicationCheck, OnModuleInit {
  constructor(
    private readonly gate: PublicationGate,
    private readonly accounts: AccountRulesService,
    private readonly evidence: PublicationEvidenceRepository,
    private readonly orders: AnalysisOrdersService,
  ) {}

  onModuleInit(): void {
    this.gate.register(this);
  }

  async problemsOf(
    versions: readonly CheckedVersion[],
  ): Promise<Map<string, PublicationProblem[]>> {
    const accountId = versions[0]?.document.accountId ?? '';
    const found = await this.evidence.find(accountId, await this.wantedFor(versions));
    return new Map(
      versions.map((version) => {
        const { id } = version.document;
        return [id, problemsOf(version, found.get(id))];
      }),
    );
  }

  async order(
    version: CheckedVersion,
    context: RequestContext,
    { waits }: { waits: boolean },
  ): Promise<void> {
    const [wanted] = await this.wantedFor([version]);
    if (!wanted) return;
    const { id: documentId, content, aiSettings } = version.document;
    const settings = effectiveSettings({}, aiSettings);
    const input = { documentId, version: wanted.last, settings, settingsHash: wanted.hash };
    const order = { kind: ANALYZE_DOCUMENT, input };
    // The analysis of a finished job may be deleted, or have other rules.
    const options = { waits, reusesResults: false };
    await this.orders.order(order, Buffer.byteLength(content), context, options);
  }

  /** Returns the evidence that stored versions of one account need. */
  private async wantedFor(versions: readonly CheckedVersion[]): Promise<WantedEvidence[]> {
    const accountId = versions[0]?.document.accountId ?? '';
    const { rules, engine } = await this.accounts.forAccount(accountId);
    const ids = versions.map(({ document }) => document.id);
    const dismissed = await this.evidence.dismissed(accountId, ids);
    return versions.flatMap(({ document: { id, aiSettings }, stored }) => {
      const settings = effectiveSettings({}, aiSettings);
      const hash = settingsHash(settings, rules, engine, dismissed.get(id) ?? []);
      return stored ? [{ id, ...stored, hash }] : [];
    });
  }
}

function problemsOf(
  { stored, required }: CheckedVersion,
  found: Evidence | undefined,
): PublicationProblem[] {
  const { errors, minScore, openSuggestions } = required;
  const problems: PublicationProblem[] = [];
  if (errors !== null || minScore !== null) {
    const issue = stored
      ? 'This text has no up-to-date analysis. POST /v1/documents/{id}/publish without an Idempotency-Key orders it and waits for it; if it is running already, try again in a moment.'
      : 'The request changes the text, which therefore has no analysis. Save the text first, then publish it.';
    if (found?.analysisId == null) problems.push({ check: 'analysis_missing', issue });
    else problems.push(...analysisProblems(found, found.analysisId, { errors, minScore }));
  }
  const open = found?.openSuggestions ?? 0;
  if (openSuggestions !== null && open > openSuggestions) {
    const issue = `The version has ${counted(open, 'open suggestion')}, and ${String(openSuggestions)} are allowed. Accept or reject them.`;
    problems.push({ check: 'open_suggestions', issue });
  }
  return problems;
}

function analysisProblems(
  { overall, correctness, clarity, errors }: Evidence,
  id: string,
  required: { errors: number | null; minScore: number | null },
): PublicationProblem[] {
  const analysisId = encodeId('analysis', id);
  const problems: PublicationProblem[] = [];
  // Texts of fewer than five words have no basis at all.
  if ((correctness ?? 'none') === 'none' && clarity !== 'none') {
    const issue = 'No check for mistakes is available for the language of this text.';
    problems.push({ check: 'unchecked_language', issue, analysisId });
  }
  if (required.errors !== null && errors > required.errors) {
    const issue = `The analysis found ${counted(errors, 'error')}, and ${String(required.errors)} are allowed. Correct or dismiss them.`;
    problems.push({ check: 'errors', issue, analysisId });
  }
  if (required.minScore !== null && overall !== null && overall < required.minScore) {
    const issue = `The overall score is ${String(overall)}, and at least ${String(required.minScore)} is required. Improve the text.`;
    problems.push({ check: 'score', issue, analysisId });
  }
  return problems;
}

function counted(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}
