import { Injectable } from '@nestjs/common';
import { Database, type Statement } from '../../../platform/database/database.js';
import type { Access, PlacedDocument } from './access.js';

const FIND: Statement = {
  name: 'access.document-places',
  text: `SELECT id, collection_id AS "collectionId", metadata::text AS metadata, deleted_at IS NOT NULL AS "isInTrash"
           FROM documents WHERE id = ANY ($2::uuid[]) AND account_id = $1`,
};

/** Where a document is now. */
export interface DocumentPlace extends PlacedDocument {
  isInTrash: boolean;
}

/** Finds where documents are now, for features that store only their IDs. */
@Injectable()
export class DocumentPlaces {
  constructor(private readonly database: Database) {}

  /** Returns those documents that the access includes, by UUID. Permanently deleted ones are missing. */
  async of(access: Access, ids: readonly string[]): Promise<Map<string, DocumentPlace>> {
    const rows = await this.database.run<DocumentPlace>(FIND, [access.accountId, ids]);
    return new Map(rows.filter((row) => access.includes(row)).map((row) => [row.id, row]));
  }
}

/**
 * Returns the UUIDs of the collections that a list shows; undefined for all. Throws for an access to some documents, which
 * lists with this filter cannot apply.
 */
export function shownCollections({ isWhole, only, rights }: Access): readonly string[] | undefined {
  if (isWhole) return undefined;
  if (only !== null || rights === null)
    throw new Error('This list cannot be limited to some documents.');
  return rights.visible;
}

/**
 * Returns SQL for the collection where a document is now, also in the trash; null for other IDs. A scalar sub-select, so
 * that each row costs one look-up by primary key and never a scan of the table.
 */
export const placeOf = (documentId: string, account = '$1') =>
  `(SELECT located.collection_id FROM documents AS located WHERE located.id = ${documentId} AND located.account_id = ${account})`;

/**
 * Returns a SQL condition that is true if a collection is in the UUIDs of a parameter. `IS TRUE` keeps PostgreSQL from
 * planning a join, so that it hashes the UUIDs.
 */
export const isShownIn = (collection: string, parameter: string) =>
  `(${collection} IN (SELECT unnest(${parameter}::uuid[]))) IS TRUE`;
