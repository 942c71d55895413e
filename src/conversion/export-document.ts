/** What an export shows of a document. */
export interface ExportedText {
  title: string;
  type: string;
  /** JSON text of an object, to the letter. */
  metadata: string;
  /** Markdown. */
  content: string;
  updatedAt: Date;
}
