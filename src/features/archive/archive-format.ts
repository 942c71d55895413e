/** What the first line says, so that nobody takes another file for an archive. */
export const FORMAT = 'document-service-archive';
/** Grows when a reader of today could not read an archive of tomorrow. */
export const FORMAT_VERSION = 1;
export const MEDIA_TYPE = 'application/x-ndjson';

/**
 * The records between the first line and the last one, in the order in which an archive holds them. Those of one line
 * here may alternate: what a document or template was before follows it.
 */
export const RECORD_ORDER = [
  ['member'],
  ['key'],
  ['webhook'],
  ['template', 'templateVersion'],
  ['document', 'version'],
  ['auditEntry'],
] as const;
export type RecordName = (typeof RECORD_ORDER)[number][number];
export const RECORD_NAMES: readonly RecordName[] = RECORD_ORDER.flat();

/** How many records of each name; a name that is missing has none. */
export type RecordCounts = Partial<Record<RecordName, number>>;

/** Longest line: a content of 1 MiB whose every byte is escaped, and the rest of a document. */
export const MAX_LINE_BYTES = 8 * 1024 ** 2;

/** The first line. */
export interface ArchiveHeader {
  record: 'header';
  format: typeof FORMAT;
  version: typeof FORMAT_VERSION;
  exportedAt: string;
  account: { id: string; name: string; plan: string; createdAt: string };
  counts: RecordCounts;
}

/** The last line: what was cut off or changed on the way is noticed by it. */
export interface ArchiveEnd {
  record: 'end';
  counts: RecordCounts;
  /** Of all lines before, each with its line feed, in hexadecimal. */
  sha256: string;
}

/** How many records there are in all. */
export function totalOf(counts: RecordCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
