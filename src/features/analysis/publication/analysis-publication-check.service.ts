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
  type FoundAnalysis,
  type WantedAnalysis,
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
    const wanted = await this.wantedOf(versions.filter(needsAnalysis));
    const analyses = await this.evidence.analyses(accountId, wanted);
    const suggested = versions.filter(({ required }) => required.openSuggestions !== null);
    const open = await this.evidence.openSuggestions(accountId, suggested.flatMap(textOf));
    return new Map(
      versions.map((version) => {
        const { id } = version.document;
        const problems = [
          ...(needsAnalysis(version) ? analysisProblems(version, analyses.get(id)) : []),
          ...suggestionProblems(version, open.get(id) ?? 0),
        ];
        return [id, problems];
      }),
    );
  }

  async order(
    version: CheckedVersion,
    context: RequestContext,
    { waits }: { waits: boolean },
  ): Promise<void> {
    const [wanted] = await this.wantedOf([version]);
    if (!wanted) return;
    const { id: documentId, content, aiSettings } = version.document;
    const settings = effectiveSettings({}, aiSettings);
    const input = { documentId, version: wanted.last, settings, settingsHash: wanted.hash };
    await this.orders.order(
      { kind: ANALYZE_DOCUMENT, input },
      Buffer.byteLength(content),
      context,
      // The analysis of an earlier job may be deleted, or have other rules.
      { waits, reusesResults: false },
    );
  }

  /** Returns the analyses that stored versions of one account need. */
  private async wantedOf(versions: readonly CheckedVersion[]): Promise<WantedAnalysis[]> {
    const [first] = versions;
    if (!first) return [];
    const { accountId } = first.document;
    const { rules, engine } = await this.accounts.forAccount(accountId);
    const ids = versions.map(({ document }) => document.id);
    const dismissed = await this.evidence.dismissed(accountId, ids);
    return versions.flatMap((version) =>
      textOf(version).map((text) => {
        const settings = effectiveSettings({}, version.document.aiSettings);
        const ofDocument = dismissed.get(text.id) ?? [];
        return { ...text, hash: settingsHash(settings, rules, engine, ofDocument) };
      }),
    );
  }
}

/** Returns no text for a version that is not stored. */
function textOf({ document: { id }, stored }: CheckedVersion) {
  return stored ? [{ id, ...stored }] : [];
}

function needsAnalysis({ required: { errors, minScore } }: CheckedVersion): boolean {
  return errors !== null || minScore !== null;
}

function analysisProblems(
  { stored, required }: CheckedVersion,
  found: FoundAnalysis | undefined,
): PublicationProblem[] {
  if (!found) {
    const issue = stored
      ? 'This text has no up-to-date analysis. If you publish it with POST /v1/documents/{id}/publish, the analysis is ordered; then try again in a moment.'
      : 'The request changes the text, which therefore has no analysis. Save the text first, then publish it.';
    return [{ check: 'analysis_missing', issue }];
  }
  const { overall, correctness, clarity, errors } = found;
  const { errors: maxErrors, minScore } = required;
  const analysisId = encodeId('analysis', found.analysisId);
  const problems: PublicationProblem[] = [];
  // Texts of fewer than five words have no basis at all.
  if ((correctness ?? 'none') === 'none' && clarity !== 'none') {
    const issue = 'No check for mistakes is available for the language of this text.';
    problems.push({ check: 'unchecked_language', issue, analysisId });
  }
  if (maxErrors !== null && errors > maxErrors) {
    const issue = `The analysis found ${counted(errors, 'error')}, and ${String(maxErrors)} are allowed. Correct or dismiss them.`;
    problems.push({ check: 'errors', issue, analysisId });
  }
  if (minScore !== null && overall !== null && overall < minScore) {
    const issue = `The overall score is ${String(overall)}, and at least ${String(minScore)} is required. Improve the text.`;
    problems.push({ check: 'score', issue, analysisId });
  }
  return problems;
}

function suggestionProblems(
  { required: { openSuggestions: max } }: CheckedVersion,
  open: number,
): PublicationProblem[] {
  if (max === null || open <= max) return [];
  const issue = `The version has ${counted(open, 'open suggestion')}, and ${String(max)} are allowed. Accept or reject them.`;
  return [{ check: 'open_suggestions', issue }];
}

function counted(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}
