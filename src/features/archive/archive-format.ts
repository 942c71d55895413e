/** Identifies archives in their first line. */
export const FORMAT = 'document-service-archive';
/**
 * Incremented when older readers cannot read newer archives. Only accounts with collections have archives of version 2, so
 * the previous release reads the others.
 */
export const FORMAT_VERSIONS = [1, 2] as const;
type FormatVersion = (typeof FORMAT_VERSIONS)[number];
export const MEDIA_TYPE = 'application/x-ndjson';

/**
 * The records between the first and the last line, in order. Records of one group may alternate, because older versions
 * follow their document or template.
 */
export const RECORD_ORDER = [
  ['member'],
  ['key'],
  ['webhook'],
  ['collection'],
  ['template', 'templateVersion'],
  ['document', 'version'],
  ['auditEntry'],
] as const;
export type RecordName = (typeof RECORD_ORDER)[number][number];
export const RECORD_NAMES: readonly RecordName[] = RECORD_ORDER.flat();

/** The number of records by name. A missing name means zero. */
export type RecordCounts = Partial<Record<RecordName, number>>;

/** Maximum line length: content of 1 MiB with every byte escaped, and the other fields of a document. */
export const MAX_LINE_BYTES = 8 * 1024 ** 2;

/** The first line. */
export interface ArchiveHeader {
  record: 'header';
  format: typeof FORMAT;
  version: FormatVersion;
  exportedAt: string;
  account: { id: string; name: string; plan: string; createdAt: string };
  counts: RecordCounts;
}

/** The last line, which reveals truncated or changed archives. */
export interface ArchiveEnd {
  record: 'end';
  counts: RecordCounts;
  /** Hash of all previous lines, including line feeds, in hexadecimal. */
  sha256: string;
}

/** Returns the total number of records. */
export function totalOf(counts: RecordCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
