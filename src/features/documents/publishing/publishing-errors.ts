import { AppError } from '../../../platform/basics/errors/app-error.js';
import type { PublicationProblem } from './publication-checks.js';
import type { Overrider } from './publication-rules.js';

/** Returns the error for published versions in an account that has not turned publishing on. */
export function publishingOff(): AppError {
  return new AppError(
    'conflict',
    'Publishing is off in this account. An owner or admin can turn it on with PUT /v1/publishing.',
  );
}

/** Returns the error for a document without a published version. */
export function notPublished(): AppError {
  return new AppError(
    'conflict',
    'This document has no published version. Publish it first with POST /v1/documents/{id}/publish.',
  );
}

/** Returns the error for versions that the rules of the account refuse. As in all errors, each problem has a `field`. */
export function publicationRefused(problems: readonly PublicationProblem[]): AppError {
  const issues = new Set(problems.map(({ issue }) => issue));
  return new AppError('conflict', `It was not published. ${[...issues].join(' ')}`, {
    reason: 'checks',
    problems: problems.map((problem) => ({ field: 'status', ...problem })),
  });
}

/** Returns the error for an override by a caller who cannot override. */
export function overrideForbidden(override: Overrider): AppError {
  const who =
    override === 'nobody'
      ? 'The rules of this account let nobody publish a version with problems.'
      : `Only an ${override === 'owner' ? 'owner' : 'owner or admin'} of this account, or a key with the scope *, can publish a version with problems.`;
  return new AppError('forbidden', `${who} Resolve the problems first.`, { override });
}
