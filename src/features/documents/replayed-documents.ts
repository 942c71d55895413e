import { Injectable } from '@nestjs/common';
import { StoredDocuments } from '../idempotency/idempotency.interceptor.js';
import { DocumentVersionsRepository } from './versions/document-versions.repository.js';

/** Reads the documents of replayed responses again. */
@Injectable()
export class ReplayedDocuments extends StoredDocuments {
  constructor(private readonly versions: DocumentVersionsRepository) {
    super();
  }

  find(document: { accountId: string; id: string }, version: number) {
    return this.versions.find(document, version);
  }
}
