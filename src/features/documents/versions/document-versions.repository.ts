import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { VersionPresenter } from '../../content/versioning/version.presenter.js';
import { VersionRepository } from '../../content/versioning/version.repository.js';
import type { Version } from '../../content/versioning/versioned-resource.js';
import {
  DOCUMENTS,
  type CopiedField,
  type Document,
  type VersionedField,
} from '../model/document-fields.js';

/** Fields of a version in lists. */
type ListedState = Pick<Document, CopiedField>;
/** Fields of a complete version. */
export type DocumentState = Pick<Document, VersionedField>;

export type ListedVersion = Version<ListedState>;
export type WholeVersion = Version<DocumentState>;

@Injectable()
export class DocumentVersionsRepository extends VersionRepository<ListedState, DocumentState> {
  constructor(database: Database) {
    super(database, DOCUMENTS);
  }
}

export const documentVersionPresenter = new VersionPresenter<ListedState, DocumentState>(DOCUMENTS);
