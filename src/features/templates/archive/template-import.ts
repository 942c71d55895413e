import { IsNull, MoreThan, Not } from 'typeorm';
import type { Database } from '../../../platform/database/database.js';
import {
  VersionImport,
  type ImportSurroundings,
  type Incoming,
} from '../../content/versions/version-import.js';
import { StarterOfferEntity } from '../entities/starter-offer.entity.js';
import { TemplateEntity } from '../entities/template.entity.js';
import { STARTER_TEMPLATES } from '../starter-templates.js';
import { MAX_TEMPLATES, tooManyTemplates, type TemplateState } from '../template-fields.js';
import { TemplateVersions } from '../template-versions.js';
import type { ArchivedTemplate } from './archived-template.js';

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

interface TemplateSurroundings extends ImportSurroundings {
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
