import { AppError } from '../../../platform/basics/errors/app-error.js';

/**
 * Maximum bytes that one request may read from templates and write to documents, both counted. A batch of 12 KB could
 * otherwise fill 100 MB.
 */
const MAX_BYTES = 16 * 1024 ** 2;

/** Bytes that the operations of a request may still read from templates and write. */
export class FillBudget {
  private left = MAX_BYTES;

  /** Takes bytes of a template or a document. Throws `payload_too_large`, and takes nothing, if there are not enough. */
  take(bytes: number): void {
    if (bytes > this.left) throw fillsTooMuch();
    this.left -= bytes;
  }
}

/** Returns the error for an operation beyond the budget of its request. */
function fillsTooMuch(): AppError {
  return new AppError(
    'payload_too_large',
    `The operations of this batch read and write more than ${String(MAX_BYTES)} bytes with templates. Send this operation in another batch.`,
    { maxBytes: MAX_BYTES },
  );
}
