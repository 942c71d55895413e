import { presentPerson } from '../../access/auth/person.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import type { EnhancementItemDto, SuggestionDto } from '../dto/enhancement.dto.js';
import type { Conflict } from './apply-suggestions.js';
import type { EnhancementStatus, Suggestion } from './enhancement.js';
import type { Enhancement, EnhancementHead } from './enhancements.repository.js';

/** What an enhancement would make of the document; null while there is nothing to apply. */
export interface Preview {
  text: string;
  /** JSON text of a `ContentDiff`. */
  diff: string;
}

/** What is told of an enhancement once suggestions of it were applied. */
export interface Application {
  documentVersion: number;
  conflicts: readonly Conflict[];
}

/** An enhancement as lists show it. */
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

/** The whole of it as JSON text. */
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
  const { id, ruleId, category, severity, message, explanation, reason } = suggestion;
  const { start, end, unit, line, column, original, replacements } = suggestion;
  const { source, status, chosen, appliedVersion } = suggestion;
  return {
    id,
    ruleId,
    category,
    severity,
    message,
    explanation,
    reason,
    start,
    end,
    unit,
    line,
    column,
    original,
    replacements: replacements.map(({ value, confidence }) => ({ value, confidence })),
    source,
    status,
    chosen,
    appliedVersion,
  };
}

/** What is pending has failed when its job has ended: a job that makes it changes the status. */
export function shownStatus({ status, jobStatus }: EnhancementHead): EnhancementStatus {
  const isUnderWay = jobStatus === 'queued' || jobStatus === 'running';
  return status === 'pending' && !isUnderWay ? 'failed' : status;
}

/** Why it could not be made, as its job says. */
function errorOf({ jobStatus, jobError }: EnhancementHead) {
  if (jobError) return { ...jobError, details: jobError.details ?? null };
  const message =
    jobStatus === 'cancelled'
      ? 'The job that was to make this was cancelled. Ask for it again.'
      : 'The job that was to make this is gone. Ask for it again.';
  return { code: 'INVALID_REQUEST' as const, message, details: null };
}
