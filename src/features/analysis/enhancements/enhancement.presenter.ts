import { isSafe } from '@document-service/text-analysis/issues';
import { ApiResponse } from '../../../platform/http/envelope/api-response.js';
import { documentETag } from '../../documents/document.presenter.js';
import type { Document } from '../../documents/model/document-fields.js';
import type { Job } from '../../jobs/job.js';
import { jobPath, presentJob } from '../../jobs/job.presenter.js';
import { presentPerson } from '../../auth/person.js';
import { encodeId } from '../../../platform/basics/identifiers/identifiers.js';
import type { EnhancementItemDto, SuggestionDto } from '../dto/enhancement.dto.js';
import type { Conflict } from './apply-suggestions.js';
import type {
  EnhancementSettings,
  EnhancementStatus,
  FieldChange,
  Suggestion,
} from './enhancement.js';
import type { Enhancement, EnhancementHead } from './enhancements.repository.js';

/** The document's text after all open suggestions. */
export interface Preview {
  text: string;
  /** JSON text of a `ContentDiff`. */
  diff: string;
}

/** The result of applying suggestions. */
export interface AppliedSuggestions extends PreviewedEnhancement {
  /** The document after the change. */
  document: Document;
  conflicts: readonly Conflict[];
}

/** An enhancement with a preview of the document after its suggestions. */
export interface PreviewedEnhancement {
  enhancement: Enhancement;
  preview: Preview | null;
}

/** A requested enhancement by its public id, and its job. */
export interface RequestedEnhancement {
  enhancementId: string;
  job: Job;
  /** Present once the job has ended. */
  made?: PreviewedEnhancement;
}

function presentSettings(settings: EnhancementSettings) {
  const { checks, language, suggestionLevel, tone, targetLanguage } = settings;
  return { checks, language, suggestionLevel, tone, targetLanguage };
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
    effectiveSettings: presentSettings(head.settings),
    suggestionCounts: head.counts,
    warnings: head.notes.warnings,
    dropped: head.notes.dropped,
    texts: (head.notes.texts ?? []).map(({ goal, text, source = 'model' }) => ({
      goal,
      text,
      source,
    })),
    engine: head.engine,
    jobId: head.isProposal ? null : encodeId('job', head.jobId),
    error: status === 'failed' ? errorOf(head) : null,
    createdBy: presentPerson({ id: head.authorId, name: head.authorName, email: head.authorEmail }),
    createdAt: head.createdAt.toISOString(),
    updatedAt: head.updatedAt.toISOString(),
    proposal: head.isProposal ? presentProposal(head) : null,
  } satisfies EnhancementItemDto;
}

function presentProposal({ message, keyId, keyName, title, version }: EnhancementHead) {
  return {
    message,
    key: keyId === null ? null : { id: encodeId('key', keyId), name: keyName ?? '' },
    document: { title: title ?? '', version: version ?? 1 },
  };
}

/** Returns an enhancement with its suggestions as JSON text. */
function presentEnhancement(
  { enhancement, preview }: PreviewedEnhancement,
  application?: { documentVersion: number; conflicts: readonly Conflict[] },
): string {
  const head = JSON.stringify({
    ...presentHead(enhancement),
    suggestions: enhancement.suggestions.map(presentSuggestion),
    ...application,
    preview: preview?.text ?? null,
  });
  const fieldChanges = enhancement.fieldChanges.map(fieldChangeJson).join(',');
  return `${head.slice(0, -1)},"fieldChanges":[${fieldChanges}],"diff":${preview?.diff ?? 'null'}}`;
}

/** Returns a field change as JSON text, with the values exactly as stored. */
function fieldChangeJson({ from, to, ...change }: FieldChange): string {
  const { id, field, reason, status, appliedVersion } = change;
  const rest = JSON.stringify({ id, field, reason, status, appliedVersion });
  return `${rest.slice(0, -1)},"from":${from ?? 'null'},"to":${to ?? 'null'}}`;
}

/** Returns the response with an enhancement. */
export function enhancementResponse(found: PreviewedEnhancement): ApiResponse {
  return new ApiResponse(presentEnhancement(found));
}

/** Returns the response to a request for an enhancement: the enhancement, or the job while it runs. */
export function requestedResponse({ enhancementId, job, made }: RequestedEnhancement): ApiResponse {
  if (!made) {
    const body = JSON.stringify({ ...presentJob(job), enhancementId });
    return new ApiResponse(body, { job: jobPath(job) });
  }
  return createdResponse(made);
}

/** Returns the response with a new enhancement and its path. */
export function createdResponse(made: PreviewedEnhancement): ApiResponse {
  const { id, documentId } = made.enhancement;
  const location = `/v1/documents/${encodeId('document', documentId)}/enhancements/${encodeId('enhancement', id)}`;
  return new ApiResponse(presentEnhancement(made), { location });
}

/** Returns the response to applying suggestions, with the entity tag of the document. */
export function appliedResponse({
  document,
  conflicts,
  ...found
}: AppliedSuggestions): ApiResponse {
  const application = { documentVersion: document.version, conflicts };
  return new ApiResponse(presentEnhancement(found, application), { etag: documentETag(document) });
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
    safe: isSafe(suggestion),
    status: suggestion.status,
    chosen: suggestion.chosen,
    appliedVersion: suggestion.appliedVersion,
  };
}

/**
 * Returns the status for clients. A pending enhancement whose job has ended has failed, because success changes the status.
 */
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
