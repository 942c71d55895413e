import { Failure } from '../../../api/failure.js';
import type { components } from '../../../api/v1-schema.js';
import type { DocumentType } from '../document-types.js';
import type { Texts } from './texts.js';

export type Template = components['schemas']['Template'];

/**
 * The request that creates a document. It is repeated unchanged with its Idempotency-Key until the service responds, so
 * that a lost response does not create a second document. Later edits are saved afterwards.
 */
export interface Creation {
  key: string;
  body:
    components['schemas']['CreateDocument'] | components['schemas']['CreateDocumentFromTemplate'];
  /** The texts in the request. */
  sent: Texts;
}

interface CreationOptions {
  key: string;
  texts: Texts;
  /** True if the person typed a title. */
  hasTitle: boolean;
  type: DocumentType | undefined;
  template: Template | undefined;
  /** The folder for it. */
  folderId: string | undefined;
  values: Readonly<Record<string, string>>;
}

export function creationOf(options: CreationOptions): Creation {
  const { key, texts, hasTitle, type, template, folderId, values } = options;
  const { title, content } = texts;
  const chosen = { ...(type && { type }), ...(folderId && { collectionId: folderId }) };
  if (!template) return { key, body: { title, content, ...chosen }, sent: texts };
  const takesTitle = !hasTitle && template.title != null;
  const body = {
    ...(!takesTitle && { title }),
    templateId: template.id,
    templateVariables: values,
    ...chosen,
  };
  return { key, body, sent: texts };
}

/** Errors after which the request may have been processed, or may succeed later. */
const UNDECIDED = new Set([401, 404, 408, 409, 425, 429]);

/** Returns true if no document was created and a retry would not create one. */
export function isRefused(error: unknown): boolean {
  if (!(error instanceof Failure)) return false;
  const { status } = error;
  return status >= 400 && status < 500 && !UNDECIDED.has(status);
}
