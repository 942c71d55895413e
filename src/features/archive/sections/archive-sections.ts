import { documentLine, versionLine } from '../../documents/archive/archived-document.js';
import * as documents from '../../documents/archive/archived-documents.js';
import { TEMPLATE_LINES } from '../../templates/archive/archived-template.js';
import * as templates from '../../templates/archive/archived-templates.js';
import type { ArchiveSection } from './archive-section.js';
import { auditSection, keySection, memberSection, webhookSection } from './record-sections.js';

/** Templates, each followed by the versions it had before. */
const templateSection: ArchiveSection = {
  async count(database, accountId) {
    const counted = await templates.countArchived(database, accountId);
    return { template: counted.templates, templateVersion: counted.versions };
  },

  async *lines(database, accountId) {
    for await (const one of templates.readTemplates(database, accountId)) {
      yield 'ownerId' in one ? TEMPLATE_LINES.versionLine(one) : TEMPLATE_LINES.line(one);
    }
  },
};

/** Documents, those in the trash too, each followed by the versions it had before. */
const documentSection: ArchiveSection = {
  async count(database, accountId) {
    const counted = await documents.countArchived(database, accountId);
    return { document: counted.documents, version: counted.versions };
  },

  async *lines(database, accountId) {
    for await (const one of documents.readDocuments(database, accountId)) {
      yield 'ownerId' in one ? versionLine(one) : documentLine(one);
    }
  },
};

/**
 * Everything of an account, in the order of `RECORD_ORDER`. An import brings back templates and documents with
 * their versions; the others are for the record. Events and deliveries are missing: they repeat what is here, and expire by themselves.
 */
export const ARCHIVE_SECTIONS: readonly ArchiveSection[] = [
  memberSection,
  keySection,
  webhookSection,
  templateSection,
  documentSection,
  auditSection,
];
