import { Failure } from '../../../api/failure.js';
import type { components } from '../../../api/v1-schema.js';
import type { DocumentType } from '../document-types.js';
import type { Texts } from './texts.js';

export type Template = components['schemas']['Template'];

/**
 * The request that creates a document. It is sent again unchanged, with its Idempotency-Key, until the service answers, so
 * that a lost answer does not create a second document. What was typed since is saved afterwards.
 */
export interface Creation {
  key: string;
  body:
    components['schemas']['CreateDocument'] | components['schemas']['CreateDocumentFromTemplate'];
  /** The texts that the request was made of. */
  sent: Texts;
}

interface CreationOptions {
  key: string;
  texts: Texts;
  /** Whether the person has typed a title. */
  hasTitle: boolean;
  type: DocumentType | undefined;
  template: Template | undefined;
  values: Readonly<Record<string, string>>;
}

export function creationOf(options: CreationOptions): Creation {
  const { key, texts, hasTitle, type, template, values } = options;
  const { title, content } = texts;
  const chosen = { ...(type && { type }) };
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

/** Refusals that say nothing about the request: it may have been carried out, or may be later. */
const UNDECIDED = new Set([401, 404, 408, 409, 425, 429]);

/** True if no document was created and repeating the same request would not create one. */
export function isRefused(error: unknown): boolean {
  if (!(error instanceof Failure)) return false;
  const { status } = error;
  return status >= 400 && status < 500 && !UNDECIDED.has(status);
}
