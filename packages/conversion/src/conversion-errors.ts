/**
 * - `unreadable`: the file cannot be read; `detail` continues the sentence "file: …" and says what to do.
 * - `too_demanding`: the conversion takes too much time or memory; `detail` continues the sentence "This document …".
 */
type ConversionErrorKind = 'unreadable' | 'too_demanding';

/** A failure that the author of the file can fix. */
export class ConversionError extends Error {
  override readonly name = 'ConversionError';

  constructor(
    readonly kind: ConversionErrorKind,
    readonly detail: string,
  ) {
    super(kind === 'unreadable' ? `file: ${detail}` : `This document ${detail}.`);
  }
}

/** Something that a conversion had to drop or change. `field` is a dotted path such as `metadata.tags`. */
export interface ConversionWarning {
  field: string;
  issue: string;
}

export function unreadableFile(issue: string): ConversionError {
  return new ConversionError('unreadable', issue);
}

export function tooDemanding(what: string): ConversionError {
  return new ConversionError('too_demanding', what);
}
