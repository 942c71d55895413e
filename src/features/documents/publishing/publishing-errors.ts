import { AppError } from '../../../platform/basics/errors/app-error.js';

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
