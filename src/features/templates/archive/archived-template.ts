import { ArchivedLines } from '../../content/versions/archived-lines.js';
import type { SupersededVersion } from '../../content/versions/version-store.js';
import type { VersionHistory } from '../../content/versions/versioned-resource.js';
import {
  PATCHABLE_FIELDS,
  TEMPLATES,
  type ArchivedFields,
  type TemplateState,
} from '../template-fields.js';

/** A template as an archive holds it, with its current version; those before follow it, the newest first. */
export interface ArchivedTemplate extends ArchivedFields, VersionHistory {}
export type ArchivedTemplateVersion = SupersededVersion<TemplateState>;

/** The lines of templates in archives. */
export const TEMPLATE_LINES = new ArchivedLines<TemplateState, ArchivedTemplate>({
  resource: TEMPLATES,
  records: ['template', 'templateVersion'],
  owner: 'templateId',
  changeable: PATCHABLE_FIELDS,
  mayLackAuthor: true,
});
