/** Identifies archives in their first line. */
export const FORMAT = 'document-service-archive';
/**
 * Incremented when older readers cannot read newer archives. Accounts that have never changed their publishing settings have
 * archives of version 2, and without collections of version 1, so older releases read them.
 */
export const FORMAT_VERSIONS = [1, 2, 3] as const;
type FormatVersion = (typeof FORMAT_VERSIONS)[number];
export const MEDIA_TYPE = 'application/x-ndjson';

/**
 * The records between the first and the last line, in order. Records of one group may alternate, because older versions
 * follow their document or template, and publications their document.
 */
export const RECORD_ORDER = [
  ['member'],
  ['key'],
  ['webhook'],
  ['publishing'],
  ['collection'],
  ['template', 'templateVersion'],
  ['document', 'version', 'publication'],
  ['auditEntry'],
] as const;
export type RecordName = (typeof RECORD_ORDER)[number][number];
export const RECORD_NAMES: readonly RecordName[] = RECORD_ORDER.flat();

/** Records that the header omits if there are none, as in the versions of the format before them. */
export const OMITTED_IF_NONE: ReadonlySet<string> = new Set<RecordName>([
  'publishing',
  'collection',
  'publication',
]);

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

/** Returns the first version of the format that has all these records. */
export function versionFor({ publishing, collection }: RecordCounts): FormatVersion {
  if (publishing !== undefined) return 3;
  return collection === undefined ? 1 : 2;
}

/** Returns the total number of records. */
export function totalOf(counts: RecordCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
