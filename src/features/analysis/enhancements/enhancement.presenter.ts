import { presentPerson } from '../../access/auth/person.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import type { EnhancementItemDto, SuggestionDto } from '../dto/enhancement.dto.js';
import type { Conflict } from './apply-suggestions.js';
import type { EnhancementStatus, Suggestion } from './enhancement.js';
import type { Enhancement, EnhancementHead } from './enhancements.repository.js';

/** The document's text after all open suggestions. */
export interface Preview {
  text: string;
  /** JSON text of a `ContentDiff`. */
  diff: string;
}

/** The result of applying suggestions, in the response. */
export interface Application {
  documentVersion: number;
  conflicts: readonly Conflict[];
}

/** Returns an enhancement as lists show it. */
export function presentHead(head: EnhancementHead) {
  const status = shownStatus(head);
  return {
    id: encodeId('enhancement', head.id),
    documentId: encodeId('document', head.documentId),
    baseVersion: head.baseVersion,
    textVersion: head.textVersion,
    status,
    automatic: head.automatic,
    goals: head.goals,
    instructions: head.instructions,
    effectiveSettings: head.settings,
    suggestionCounts: head.counts,
    warnings: head.notes.warnings,
    dropped: head.notes.dropped,
    texts: head.notes.texts ?? [],
    engine: head.engine,
    jobId: encodeId('job', head.jobId),
    error: status === 'failed' ? errorOf(head) : null,
    createdBy: presentPerson({ id: head.authorId, name: head.authorName, email: head.authorEmail }),
    createdAt: head.createdAt.toISOString(),
    updatedAt: head.updatedAt.toISOString(),
  } satisfies EnhancementItemDto;
}

/** Returns an enhancement with its suggestions as JSON text. */
export function presentEnhancement(
  enhancement: Enhancement,
  preview: Preview | null,
  application?: Application,
): string {
  const head = JSON.stringify({
    ...presentHead(enhancement),
    suggestions: enhancement.suggestions.map(presentSuggestion),
    ...application,
    preview: preview?.text ?? null,
  });
  return `${head.slice(0, -1)},"diff":${preview?.diff ?? 'null'}}`;
}

function presentSuggestion(suggestion: Suggestion): SuggestionDto {
  return {
    id: suggestion.id,
    ruleId: suggestion.ruleId,
    category: suggestion.category,
    severity: suggestion.severity,
    message: suggestion.message,
    explanation: suggestion.explanation,
    reason: suggestion.reason,
    start: suggestion.start,
    end: suggestion.end,
    unit: suggestion.unit,
    line: suggestion.line,
    column: suggestion.column,
    original: suggestion.original,
    replacements: suggestion.replacements.map(({ value, confidence }) => ({ value, confidence })),
    source: suggestion.source,
    status: suggestion.status,
    chosen: suggestion.chosen,
    appliedVersion: suggestion.appliedVersion,
  };
}

/** Returns the status for clients: a pending enhancement has failed if its job has ended, because success changes it. */
export function shownStatus({ status, jobStatus }: EnhancementHead): EnhancementStatus {
  const isUnderWay = jobStatus === 'queued' || jobStatus === 'running';
  return status === 'pending' && !isUnderWay ? 'failed' : status;
}

/** Returns the error of the job. */
function errorOf({ jobStatus, jobError }: EnhancementHead) {
  if (jobError) return { ...jobError, details: jobError.details ?? null };
  const message =
    jobStatus === 'cancelled'
      ? 'The job of this enhancement was cancelled. Request a new enhancement.'
      : 'The job of this enhancement no longer exists. Request a new enhancement.';
  return { code: 'INVALID_REQUEST' as const, message, details: null };
}
