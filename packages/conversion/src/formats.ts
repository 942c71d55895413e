/** Formats that a document can be exported to. */
export const EXPORT_FORMATS = ['md', 'html', 'docx', 'pdf'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Formats that a document can be imported from. */
export const IMPORT_FORMATS = ['md', 'html', 'docx'] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

export const MEDIA_TYPES: Readonly<Record<ExportFormat, string>> = {
  md: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  pdf: 'application/pdf',
};

const BY_EXTENSION: ReadonlyMap<string, ImportFormat> = new Map([
  ['md', 'md'],
  ['markdown', 'md'],
  ['mdown', 'md'],
  ['mkd', 'md'],
  ['txt', 'md'],
  ['html', 'html'],
  ['htm', 'html'],
  ['xhtml', 'html'],
  ['docx', 'docx'],
]);

const BY_MEDIA_TYPE: ReadonlyMap<string, ImportFormat> = new Map([
  ['text/markdown', 'md'],
  ['text/x-markdown', 'md'],
  ['text/plain', 'md'],
  ['text/html', 'html'],
  ['application/xhtml+xml', 'html'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
]);

/** Returns the format of a file by its extension, else by its media type, or `undefined` if both are unknown. */
export function formatOf(name: string, mediaType: string): ImportFormat | undefined {
  const extension = /\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase();
  const known = extension === undefined ? undefined : BY_EXTENSION.get(extension);
  return known ?? BY_MEDIA_TYPE.get(mediaType.toLowerCase());
}

/** The parts of a document that an export contains. */
export interface ExportedText {
  title: string;
  type: string;
  /** JSON text of an object, unchanged. */
  metadata: string;
  /** Markdown. */
  content: string;
  updatedAt: Date;
}
