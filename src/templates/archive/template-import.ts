import type { Person } from '../../auth/person.js';
import type { Database, Statement } from '../../database/database.js';
import { newUuid } from '../../identifiers/identifiers.js';
import { STARTER_TEMPLATES } from '../starter-templates.js';
import { MAX_TEMPLATES, tooManyTemplates } from '../template.js';
import type { TemplateFields } from '../template.js';
import type { ArchivedTemplate, ArchivedTemplateVersion } from './archived-template.js';

/** An account gets its starters whatever else it has. */
const MAX_ARCHIVED = MAX_TEMPLATES + STARTER_TEMPLATES.length;

const IN_USE: Statement = {
  name: 'templates.in-use',
  text: `SELECT EXISTS (SELECT FROM templates
          WHERE account_id = $1 AND NOT (created_by IS NULL AND version = 1)) AS in_use`,
};

/** The archive brings its own; the account counts as given, or they would come once more. */
const TAKE_STARTERS_AWAY: Statement = {
  name: 'templates.take-starters-away',
  text: `WITH offered AS (
      INSERT INTO starter_offers (account_id, offered_at) VALUES ($1, $2) ON CONFLICT (account_id) DO NOTHING
    )
    DELETE FROM templates WHERE account_id = $1 AND created_by IS NULL AND version = 1`,
};

const INSERT: Statement = {
  name: 'templates.import',
  text: `INSERT INTO templates (id, account_id, name, description, type, title, content, variables, metadata, ai_settings,
                                version, created_by, created_at, updated_at)
    SELECT id, $2, name, description, type, title, content, variables, metadata, ai_settings, version,
           created_by, created_at, updated_at
      FROM json_to_recordset($1::json) AS template (
        id uuid, name text, description text, type text, title text, content text, variables json, metadata text,
        ai_settings text, version integer, created_by uuid, created_at timestamptz, updated_at timestamptz)
    ON CONFLICT (id) DO NOTHING RETURNING id`,
};

const INSERT_VERSION: Statement = {
  name: 'templates.import-version',
  text: `INSERT INTO template_versions (id, template_id, number, account_id, name, description, type, title, content,
                                        variables, metadata, ai_settings, changes, author, created_at)
    SELECT id, template_id, number, $2, name, description, type, title, content, variables, metadata,
           ai_settings, changes, author, created_at
      FROM json_to_recordset($1::json) AS version (
        id uuid, template_id uuid, number integer, name text, description text, type text, title text, content text,
        variables json, metadata text, ai_settings text, changes text[], author uuid, created_at timestamptz)`,
};

/** Whether the account has templates of its own, and not only those that it was given. */
export async function hasOwnTemplates(database: Database, accountId: string): Promise<boolean> {
  const [row] = await database.run<{ in_use: boolean }>(IN_USE, [accountId]);
  return row?.in_use === true;
}

/** What an import asks of what is around it. */
export interface TemplateSurroundings {
  database: Database;
  accountId: string;
  now: Date;
  /** The user of the account that a person of the archive is. */
  userOf: (person: Person) => string;
  /** Told of a template that could not keep its id. */
  renamed: (from: string, to: string) => Promise<void>;
}

/**
 * Writes archived templates with their versions, in the place of those that the account was given. Give each template,
 * then its versions. Everything is in the transaction of the database.
 */
export class TemplateImport {
  private readonly ids = new Map<string, string>();
  private current = '';

  private constructor(private readonly around: TemplateSurroundings) {}

  static async begin(around: TemplateSurroundings): Promise<TemplateImport> {
    await around.database.run(TAKE_STARTERS_AWAY, [around.accountId, around.now]);
    return new TemplateImport(around);
  }

  async add(template: ArchivedTemplate): Promise<void> {
    if (this.ids.size >= MAX_ARCHIVED) throw tooManyTemplates();
    this.current = await this.insert(template, template.id);
    this.ids.set(template.id, this.current);
    await this.addVersion({
      ...template,
      templateId: template.id,
      number: template.version,
      createdAt: template.updatedAt,
    });
  }

  async addVersion(version: ArchivedTemplateVersion): Promise<void> {
    const { database, accountId, userOf } = this.around;
    const row = {
      id: newUuid(),
      template_id: this.current,
      number: version.number,
      ...fieldsRow(version),
      changes: version.changes,
      author: version.author && userOf(version.author),
      created_at: version.createdAt,
    };
    await database.run(INSERT_VERSION, [JSON.stringify([row]), accountId]);
  }

  async end(): Promise<void> {
    // Each was written as it came.
  }

  /** The id that a template of the archive has now; others keep theirs, which names nothing here. */
  idOf(archived: string): string {
    return this.ids.get(archived) ?? archived;
  }

  /** Returns the id it got: its own where that is free. */
  private async insert(template: ArchivedTemplate, id: string): Promise<string> {
    const { database, accountId, userOf, renamed } = this.around;
    const row = {
      id,
      ...fieldsRow(template),
      version: template.version,
      created_by: template.createdBy && userOf(template.createdBy),
      created_at: template.createdAt,
      updated_at: template.updatedAt,
    };
    const written = await database.run(INSERT, [JSON.stringify([row]), accountId]);
    if (written.length > 0) return id;
    const other = newUuid();
    await renamed(template.id, other);
    return this.insert(template, other);
  }
}

function fieldsRow(fields: TemplateFields): object {
  const { name, description, type, title, content, variables, metadata, aiSettings } = fields;
  return { name, description, type, title, content, variables, metadata, ai_settings: aiSettings };
}
