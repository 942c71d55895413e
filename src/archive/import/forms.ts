import {
  readDocument,
  readVersion,
  type ArchivedDocument,
  type ArchivedVersion,
} from '../../documents/archive/archived-document.js';
import type {
  ArchivedTemplate,
  ArchivedTemplateVersion,
} from '../../templates/archive/archived-template.js';
import { readTemplate, readTemplateVersion } from '../../templates/archive/read-archived-lines.js';
import type { VersionedForm } from './versioned-records.js';

export const DOCUMENTS: VersionedForm<ArchivedDocument, ArchivedVersion> = {
  kind: 'document',
  record: 'document',
  read: readDocument,
  readVersion,
  owner: { member: 'documentId', of: ({ documentId }) => documentId },
};

export const TEMPLATES: VersionedForm<ArchivedTemplate, ArchivedTemplateVersion> = {
  kind: 'template',
  record: 'template',
  read: readTemplate,
  readVersion: readTemplateVersion,
  owner: { member: 'templateId', of: ({ templateId }) => templateId },
};
