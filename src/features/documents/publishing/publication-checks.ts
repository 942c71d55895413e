import type { RequestContext } from '../../auth/request-context.js';
import type { Document } from '../model/document-fields.js';
import type { RequiredChecks } from './publication-rules.js';

/** What can keep a version from being published by a rule. */
export const PUBLICATION_CHECKS = [
  'analysis_missing',
  'errors',
  'score',
  'open_suggestions',
  'unchecked_language',
] as const;

/** Why a version cannot be published. */
export interface PublicationProblem {
  check: (typeof PUBLICATION_CHECKS)[number];
  /** What is wrong, and what to do. */
  issue: string;
  /** The public ID of the analysis that found it. */
  analysisId?: string;
}

/** The first and last version of a document with the same text and metadata. */
export interface VersionRange {
  first: number;
  last: number;
}

/** A version that somebody wants to publish. */
export interface CheckedVersion {
  /** As readers would get it. */
  document: Document;
  /** Null if the request itself makes the text. */
  stored: VersionRange | null;
  required: RequiredChecks;
}

/** Checks versions before they are published. A feature registers it with `PublicationGate`. */
export interface PublicationCheck {
  /** Returns the problems of versions of one account, by UUID of the document. */
  problemsOf(versions: readonly CheckedVersion[]): Promise<Map<string, PublicationProblem[]>>;
  /** Orders the analysis of a version. With `waits`, waits a few seconds for it. Throws `forbidden` and `conflict` if it cannot. */
  order(
    version: CheckedVersion,
    context: RequestContext,
    options: { waits: boolean },
  ): Promise<void>;
}
