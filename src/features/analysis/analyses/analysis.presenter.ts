import { presentPerson } from '../../access/auth/person.js';
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
  return `${head.slice(0, -1)},${result.slice(1)}`;
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
