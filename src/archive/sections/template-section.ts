import { templateLine, templateVersionLine } from '../../templates/archive/archived-template.js';
import { countArchived, readTemplates } from '../../templates/archive/archived-templates.js';
import type { ArchiveSection } from './archive-section.js';

/** Templates, each followed by the versions it had before. */
export const templateSection: ArchiveSection = {
  async count(executor, accountId) {
    const { templates, versions } = await countArchived(executor, accountId);
    return { template: templates, templateVersion: versions };
  },

  async *lines(executor, accountId) {
    for await (const one of readTemplates(executor, accountId)) {
      yield 'templateId' in one ? templateVersionLine(one) : templateLine(one);
    }
  },
};
