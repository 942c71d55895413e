import type { IdKind } from '../../../platform/basics/identifiers/identifiers.js';
import type { Person } from '../../auth/person.js';
import { fieldsWithout, type FieldMap } from './field-map.js';

/** How a version was created. */
export interface VersionHistory {
  /** Fields that differ from the previous version; empty for the first version. */
  changes: readonly string[];
  /** Null for the first version of a resource that was created with the account. */
  author: Person | null;
}

/** A version with some of its fields. */
export type Version<Fields extends object> = Fields &
  VersionHistory & {
    number: number;
    createdAt: Date;
    /** JSON text of the origin; null if a person made the change directly. */
    origin?: string | null;
  };

/** The field that every versioned resource has. */
export interface VersionedState {
  content: string;
}

/**
 * A resource that gets a new version with each change. Its own table holds the current version, and a second table holds
 * the older ones.
 */
export interface VersionedResource {
  kind: IdKind;
  table: string;
  versionTable: string;
  /** Column of the version table that refers to the resource. */
  owner: string;
  fields: FieldMap;
  /** True if versions record an origin. */
  hasOrigin?: boolean;
}

/** Columns of `users AS author` that {@link authorOf} reads. */
export const AUTHOR_COLUMNS =
  'author.id AS "authorId", author.name AS "authorName", author.email AS "authorEmail"';

/** The author columns of a row; all null if the version has no author. */
export interface AuthorRow {
  authorId: string | null;
  authorName: string | null;
  authorEmail: string | null;
}

export function authorOf({ authorId, authorName, authorEmail }: AuthorRow): Person | null {
  if (authorId === null) return null;
  return { id: authorId, name: authorName ?? '', email: authorEmail ?? '' };
}

/** Returns the fields that each version stores in a column, except the content. */
export function storedVersionFields({ fields }: VersionedResource): readonly string[] {
  return fieldsWithout(fields, 'versioned', false).filter((name) => name !== 'content');
}
