import { ArchivedLines } from '../content/versioning/archived-lines.js';
import type { SupersededVersion } from '../content/versioning/version.repository.js';
import type { VersionHistory } from '../content/versioning/versioned-resource.js';
import {
  PATCHABLE_FIELDS,
  TEMPLATES,
  type ArchivedFields,
  type TemplateState,
  MAX_TEMPLATES,
  tooManyTemplates,
} from './template-fields.js';
import type { Database } from '../../platform/database/database.js';
import { TemplateEntity } from './entities/template.entity.js';
import { personOf, templateOf } from './template.repository.js';
import { TemplateVersions } from './template-versions.js';
import { IsNull, MoreThan, Not } from 'typeorm';
import {
  VersionImport,
  type ImportContext,
  type Incoming,
} from '../content/versioning/version-import.js';
import { StarterOfferEntity } from './entities/starter-offer.entity.js';
import { STARTER_TEMPLATES } from './starters/starter-templates.js';

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

/** An account gets its starters whatever else it has. */
const MAX_ARCHIVED = MAX_TEMPLATES + STARTER_TEMPLATES.length;

/** Whether the account has templates of its own, and not only those that it was given. */
export async function hasOwnTemplates(database: Database, accountId: string): Promise<boolean> {
  return database.repository(TemplateEntity).exists({
    where: [
      { accountId, createdBy: Not(IsNull()) },
      { accountId, version: MoreThan(1) },
    ],
  });
}

interface TemplateSurroundings extends ImportContext {
  now: Date;
}

/** Writes archived templates with their versions, in the place of those that the account was given. */
export class TemplateImport extends VersionImport<TemplateState, ArchivedTemplate> {
  private readonly ids: Map<string, string>;
  private count = 0;

  private constructor(around: TemplateSurroundings) {
    const ids = new Map<string, string>();
    const renamed = (from: string, to: string) => {
      ids.set(from, to);
      return around.renamed(from, to);
    };
    super({ ...around, renamed }, new TemplateVersions(around.database), (templates) =>
      insert(templates, around),
    );
    this.ids = ids;
  }

  static async begin(around: TemplateSurroundings): Promise<TemplateImport> {
    const { database, accountId, now } = around;
    // The archive brings its own; the account counts as given, or they would come once more.
    await database.manager
      .createQueryBuilder()
      .insert()
      .into(StarterOfferEntity)
      .values({ accountId, offeredAt: now })
      .orIgnore()
      .execute();
    const given = { accountId, createdBy: IsNull(), version: 1 };
    await database.repository(TemplateEntity).delete(given);
    return new TemplateImport(around);
  }

  override async add(template: ArchivedTemplate): Promise<void> {
    if (this.count >= MAX_ARCHIVED) throw tooManyTemplates();
    this.count += 1;
    await super.add(template);
  }

  /** The id that a template of the archive has now; others keep theirs, which names nothing here. */
  idOf(archived: string): string {
    return this.ids.get(archived) ?? archived;
  }
}

/** Nothing happens to a template whose id is taken, by whatever account; it gets another one. */
async function insert(
  templates: readonly Incoming<ArchivedTemplate>[],
  { database, accountId, userOf }: TemplateSurroundings,
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
  const written = await database.manager
    .createQueryBuilder()
    .insert()
    .into(TemplateEntity)
    .values(rows)
    .orIgnore()
    .returning('id')
    .execute();
  return new Set((written.raw as { id: string }[]).map(({ id }) => id));
}
