import { Injectable } from '@nestjs/common';
import type { Access } from '../auth/access/access.js';
import { StoredDocuments } from '../idempotency/idempotency.interceptor.js';
import { DocumentsRepository } from './documents.repository.js';
import { DocumentVersionsRepository } from './versions/document-versions.repository.js';

/** Reads the documents of replayed responses again. */
@Injectable()
export class ReplayedDocuments extends StoredDocuments {
  constructor(
    private readonly documents: DocumentsRepository,
    private readonly versions: DocumentVersionsRepository,
  ) {
    super();
  }

  find(document: { accountId: string; id: string }, version: number) {
    return this.versions.find(document, version);
  }

  async isVisible(access: Access, id: string): Promise<boolean> {
    return (await this.documents.find(access, id)) !== undefined;
  }
}
