import { documentLine, versionLine } from '../../documents/archive/archived-document.js';
import { countArchived, readDocuments } from '../../documents/archive/archived-documents.js';
import type { ArchiveSection } from './archive-section.js';

/** Documents, those in the trash too, each followed by the versions it had before. */
export const documentSection: ArchiveSection = {
  async count(executor, accountId) {
    const { documents, versions } = await countArchived(executor, accountId);
    return { document: documents, version: versions };
  },

  async *lines(executor, accountId) {
    for await (const one of readDocuments(executor, accountId)) {
      yield 'documentId' in one ? versionLine(one) : documentLine(one);
    }
  },
};
