import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { VersionPresenter } from '../../content/versions/version.presenter.js';
import { VersionStore } from '../../content/versions/version-store.js';
import type { Version } from '../../content/versions/versioned-resource.js';
import {
  DOCUMENTS,
  type CopiedField,
  type Document,
  type VersionedField,
} from '../document-fields.js';

/** What a version shows of a document in lists, and what a version is. */
type ListedState = Pick<Document, CopiedField>;
export type DocumentState = Pick<Document, VersionedField>;

export type ListedVersion = Version<ListedState>;
export type WholeVersion = Version<DocumentState>;

/** The versions of documents. */
@Injectable()
export class DocumentVersions extends VersionStore<ListedState, DocumentState> {
  constructor(database: Database) {
    super(database, DOCUMENTS);
  }
}

export const documentVersionPresenter = new VersionPresenter<ListedState, DocumentState>(DOCUMENTS);
