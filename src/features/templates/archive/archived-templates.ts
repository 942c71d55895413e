import type { Database } from '../../../platform/database/database.js';
import { TemplateEntity } from '../entities/template.entity.js';
import { personOf, templateOf } from '../template.repository.js';
import { TemplateVersions } from '../template-versions.js';
import type { ArchivedTemplate, ArchivedTemplateVersion } from './archived-template.js';

/** How many templates an account has, and how many versions of them that were replaced. */
export async function countArchived(
  database: Database,
  accountId: string,
): Promise<{ templates: number; versions: number }> {
  const templates = database.repository(TemplateEntity);
  const count = await templates.countBy({ accountId });
  const newest = await templates.sum('version', { accountId });
  return { templates: count, versions: (newest ?? 0) - count };
}

/**
 * Every template of an account, each followed by the versions it had before, the newest first. One state of all of them
 * if `database` is a transaction that sees one.
 */
export async function* readTemplates(
  database: Database,
  accountId: string,
): AsyncGenerator<ArchivedTemplate | ArchivedTemplateVersion> {
  const templates = database.repository(TemplateEntity);
  const versions = new TemplateVersions(database);
  // Few enough to be named at once.
  const found = await templates.find({
    select: { id: true },
    where: { accountId },
    order: { createdAt: 'ASC', id: 'ASC' },
  });
  for (const { id } of found) {
    const row = await templates.findOneOrFail({
      where: { id, accountId },
      relations: { creator: true, versionMaker: true },
    });
    const template = archivedFrom(row);
    yield template;
    yield* versions.superseded(accountId, [template]);
  }
}

function archivedFrom(row: TemplateEntity): ArchivedTemplate {
  const { creator, versionMaker, versionChanges } = row;
  const author = personOf(versionMaker ?? creator);
  return { ...templateOf(row), changes: versionChanges ?? [], author };
}
