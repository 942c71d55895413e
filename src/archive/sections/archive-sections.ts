import type { ArchiveSection } from './archive-section.js';
import { auditSection } from './audit-section.js';
import { documentSection } from './document-section.js';
import { templateSection } from './template-section.js';
import { keySection, memberSection, webhookSection } from './record-sections.js';

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
