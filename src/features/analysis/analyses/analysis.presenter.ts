import type { AnalysisResult } from '@document-service/text-analysis/analysis';
import { isSafe } from '@document-service/text-analysis/issues';
import { presentPerson } from '../../auth/person.js';
import type { Dismissal } from './dismissals.repository.js';
import type { DismissalDto } from '../dto/enhancement.dto.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import type { StoredAnalysis, VersionQuality } from './analysis.repository.js';

/** Returns an analysis as JSON text. Its result is already JSON text. */
export function presentAnalysis(analysis: StoredAnalysis): string {
  const { id, documentId, documentVersion, result, createdAt } = analysis;
  const head = JSON.stringify({
    id: encodeId('analysis', id),
    documentId: encodeId('document', documentId),
    documentVersion,
    status: 'completed',
    createdAt: createdAt.toISOString(),
  });
  return `${head.slice(0, -1)},${withSafe(result).slice(1)}`;
}

/** Adds `safe` to the issues of a result that an earlier release stored. Inside strings, quotes are escaped. */
function withSafe(result: string): string {
  if (result.includes('"safe":') || result.includes('"issues":[]')) return result;
  const parsed = JSON.parse(result) as AnalysisResult;
  const issues = parsed.issues.map((issue) => ({ ...issue, safe: isSafe(issue) }));
  return JSON.stringify({ ...parsed, issues });
}

/** Returns the scores of a version as JSON text. */
export function presentQuality({ id, version, scores, createdAt }: VersionQuality): string {
  const analysisId = encodeId('analysis', id);
  return `{"documentVersion":${String(version)},"analysisId":"${analysisId}","scores":${scores},"analyzedAt":"${createdAt.toISOString()}"}`;
}

export function presentDismissal(dismissal: Dismissal): DismissalDto {
  const { issueId, createdAt, authorId: id, authorName: name, authorEmail: email } = dismissal;
  const createdBy = presentPerson({ id, name, email });
  return { issueId, createdBy, createdAt: createdAt.toISOString() };
}
