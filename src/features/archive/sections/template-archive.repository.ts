import { ArchivedLines } from '../../content/versioning/archived-lines.js';
import type { SupersededVersion } from '../../content/versioning/version.repository.js';
import type { VersionHistory } from '../../content/versioning/versioned-resource.js';
import {
  PATCHABLE_FIELDS,
  TEMPLATES,
  type ArchivedFields,
  type TemplateState,
  MAX_TEMPLATES,
  tooManyTemplates,
} from '../../templates/template-fields.js';
import type { ArchiveRepository } from '../archive.repository.js';
import type { TemplateEntity } from '../../templates/entities/template.entity.js';
import {
  personOf,
  templateOf,
  TemplateVersionsRepository,
} from '../../templates/templates.repository.js';
import { IsNull, MoreThan, Not } from 'typeorm';
import {
  VersionImport,
  type ImportContext,
  type Incoming,
} from '../../content/versioning/version-import.js';
import type { RecordCounts } from '../archive-format.js';
import { STARTER_TEMPLATES } from '../../templates/starters/starter-templates.service.js';

/** A template in an archive, with its current version. Lines of its older versions follow, newest first. */
export interface ArchivedTemplate extends ArchivedFields, VersionHistory {}
export type ArchivedTemplateVersion = SupersededVersion<TemplateState>;

export const TEMPLATE_LINES = new ArchivedLines<TemplateState, ArchivedTemplate>({
  resource: TEMPLATES,
  records: ['template', 'templateVersion'],
  owner: 'templateId',
  changeable: PATCHABLE_FIELDS,
  mayLackAuthor: true,
});

/** Counts the templates of an account and their older versions. */
export async function countTemplateRecords(
  { templates }: ArchiveRepository,
  accountId: string,
): Promise<RecordCounts> {
  const count = await templates.countBy({ accountId });
  const newest = await templates.sum('version', { accountId });
  return { template: count, templateVersion: (newest ?? 0) - count };
}

/**
 * Returns every template of an account. The older versions of each template follow it, newest first. Consistent if the
 * caller's transaction is repeatable read.
 */
export async function* readTemplates(
  { database, templates }: ArchiveRepository,
  accountId: string,
): AsyncGenerator<ArchivedTemplate | ArchivedTemplateVersion> {
  const versions = new TemplateVersionsRepository(database);
  // An account has few templates, so all ids fit into memory.
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

/** Starter templates do not count toward the limit. */
const MAX_ARCHIVED = MAX_TEMPLATES + STARTER_TEMPLATES.length;

/** True if the account has templates other than unchanged starter templates. */
export async function hasOwnTemplates(
  { templates }: ArchiveRepository,
  accountId: string,
): Promise<boolean> {
  return templates.exists({
    where: [
      { accountId, createdBy: Not(IsNull()) },
      { accountId, version: MoreThan(1) },
    ],
  });
}

interface TemplateImportContext extends ImportContext {
  now: Date;
}

/** Imports archived templates with their versions. They replace the account's starter templates. */
export class TemplateImport extends VersionImport<TemplateState, ArchivedTemplate> {
  private readonly ids: Map<string, string>;
  private count = 0;

  private constructor(store: ArchiveRepository, context: TemplateImportContext) {
    const ids = new Map<string, string>();
    const renamed = (from: string, to: string) => {
      ids.set(from, to);
      return context.renamed(from, to);
    };
    super({ ...context, renamed }, new TemplateVersionsRepository(context.database), (templates) =>
      insert(store, templates, context),
    );
    this.ids = ids;
  }

  /** Deletes the account's starter templates and returns an import. */
  static async begin(
    store: ArchiveRepository,
    context: TemplateImportContext,
  ): Promise<TemplateImport> {
    const { accountId, now } = context;
    // Mark the starter templates as inserted, so that they are not inserted again after the import.
    await store.starterOffers
      .createQueryBuilder()
      .insert()
      .values({ accountId, offeredAt: now })
      .orIgnore()
      .execute();
    await store.templates.delete({ accountId, createdBy: IsNull(), version: 1 });
    return new TemplateImport(store, context);
  }

  override async add(template: ArchivedTemplate): Promise<void> {
    if (this.count >= MAX_ARCHIVED) throw tooManyTemplates();
    this.count += 1;
    await super.add(template);
  }

  /** Returns the new id of an archived template. Unknown ids are returned unchanged. */
  idOf(archived: string): string {
    return this.ids.get(archived) ?? archived;
  }
}

/** Inserts templates, except those whose ID is taken in any account. The caller assigns new IDs. */
async function insert(
  store: ArchiveRepository,
  templates: readonly Incoming<ArchivedTemplate>[],
  { accountId, userOf }: TemplateImportContext,
): Promise<ReadonlySet<string>> {
  const rows = templates.map(({ archived, id, deltas }) => {
    const { changes, author, createdBy, ...fields } = archived;
    const isFirst = archived.version === 1;
    return {
      ...fields,
      ...deltas,
      id,
      accountId,
      createdBy: createdBy && userOf(createdBy),
      versionAuthor: isFirst ? null : author && userOf(author),
      versionChanges: isFirst ? null : [...changes],
    };
  });
  const written = await store.templates
    .createQueryBuilder()
    .insert()
    .values(rows)
    .orIgnore()
    .returning('id')
    .execute();
  return new Set((written.raw as { id: string }[]).map(({ id }) => id));
}
