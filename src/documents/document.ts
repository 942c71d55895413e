import type { DocumentStatus } from './document-status.js';
import type { DocumentType } from './document-type.js';

/** A document as the code handles it. Ids are UUIDs; `metadata` and `aiSettings` are the JSON text that was sent. */
export interface Document {
  id: string;
  accountId: string;
  title: string;
  type: DocumentType;
  content: string;
  excerpt: string;
  status: DocumentStatus;
  metadata: string;
  aiSettings: string;
  templateId: string | null;
  wordCount: number;
  version: number;
  createdBy: { id: string; name: string; email: string };
  createdAt: Date;
  updatedAt: Date;
}

const EXCERPT_CHARACTERS = 200;

/** The first 200 characters (code points) of the content. */
export function excerptOf(content: string): string {
  let end = 0;
  for (let characters = 0; characters < EXCERPT_CHARACTERS; characters += 1) {
    end += (content.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  }
  return content.slice(0, end);
}

/** UTF-8 bytes of what is stored of a document, as the database counts them (`document_bytes`). */
export function storedBytes({
  title,
  content,
  metadata,
  aiSettings,
}: Pick<Document, 'title' | 'content' | 'metadata' | 'aiSettings'>): number {
  return [title, content, metadata, aiSettings].reduce(
    (bytes, text) => bytes + Buffer.byteLength(text),
    0,
  );
}
