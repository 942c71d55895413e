import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import type { StoredAnalysis } from './analysis.repository.js';

/** An analysis as JSON text; what was found is JSON text already. */
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
