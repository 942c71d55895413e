import type { DocumentType } from '../documents/document-type.js';
import { AppError } from '../errors/app-error.js';
import type { Variable } from './variables.js';

/** What a client says of a template. `metadata` and `aiSettings` are the JSON text that was sent. */
export interface TemplateFields {
  name: string;
  description: string | null;
  type: DocumentType;
  /** Of the documents made from it, with variables; null leaves it to them. */
  title: string | null;
  content: string;
  variables: readonly Variable[];
  metadata: string;
  aiSettings: string;
}

export const TEMPLATE_FIELDS = [
  'name',
  'description',
  'type',
  'title',
  'content',
  'variables',
  'metadata',
  'aiSettings',
] as const satisfies readonly (keyof TemplateFields)[];
export type TemplateField = (typeof TEMPLATE_FIELDS)[number];

/** A user as answers show one; the id is a UUID. */
export interface Person {
  id: string;
  name: string;
  email: string;
}

/** A template as the code handles it. Ids are UUIDs. */
export interface Template extends TemplateFields {
  id: string;
  accountId: string;
  version: number;
  /** Null for one that came with the account. */
  createdBy: Person | null;
  createdAt: Date;
  updatedAt: Date;
}

/** A version of a template: what it was, who made it so, and what differs from the version before. */
export interface TemplateVersion extends TemplateFields {
  number: number;
  /** Empty for the first. */
  changes: readonly string[];
  /** Null for the first of a template that came with the account. */
  author: Person | null;
  createdAt: Date;
}

/** Most templates of an account, beside starters that come later: they are counted and searched at every list. */
export const MAX_TEMPLATES = 1_000;

/** The answer to a creation beyond {@link MAX_TEMPLATES}. */
export function tooManyTemplates(): AppError {
  return new AppError(
    'conflict',
    `This account has ${String(MAX_TEMPLATES)} templates, the most it may have. Delete one that is not needed any more.`,
  );
}
