import { Injectable } from '@nestjs/common';
import { insertAuditEntries, type AuditRow } from '../audit/audit-entry.js';
import {
  Database,
  type Executor,
  type Statement,
  type TransactionContext,
} from '../database/database.js';
import { newUuid } from '../identifiers/identifiers.js';
import { MAX_TEMPLATES } from './template-limit.js';
import {
  fromTemplateRow,
  fromVersionRow,
  TEMPLATE_COLUMNS,
  TEMPLATE_JOINS,
  TEMPLATE_VERSION_COLUMNS,
  TEMPLATE_VERSION_JOINS,
  type TemplateRow,
  type TemplateVersionRow,
} from './template-row.js';
import type { Template, TemplateVersion } from './template.js';

/** The columns of a template to write, given as a JSON object. */
const WRITTEN = `json_to_record($1::json) AS wanted (
  id uuid, account_id uuid, name text, description text, type text, title text, content text, variables json,
  metadata text, ai_settings text, version integer, created_by uuid, created_at timestamptz, updated_at timestamptz,
  version_id uuid, author uuid, changes text[])`;

/** Each version is kept as a row of its own, the current one too. */
const insertVersion = (from: string) =>
  `INSERT INTO template_versions (id, template_id, number, account_id, name, description, type, title, content, variables,
                                  metadata, ai_settings, changes, author, created_at)
   SELECT wanted.version_id, wanted.id, wanted.version, wanted.account_id, wanted.name, wanted.description, wanted.type,
          wanted.title, wanted.content, wanted.variables, wanted.metadata::json, wanted.ai_settings::json,
          wanted.changes, wanted.author, wanted.updated_at
     FROM wanted JOIN ${from} ON ${from}.id = wanted.id`;

/** Creations of an account wait for each other, so that each counts what the others made. */
const HOLD: Statement = {
  name: 'templates.hold',
  text: `SELECT pg_advisory_xact_lock(hashtextextended('templates', quota_lock($1::uuid)))`,
};

const INSERT: Statement = {
  name: 'templates.insert',
  text: `WITH wanted AS MATERIALIZED (SELECT * FROM ${WRITTEN}
    ), made AS (
      INSERT INTO templates (id, account_id, name, description, type, title, content, variables, metadata, ai_settings,
                             version, created_by, created_at, updated_at)
      SELECT id, account_id, name, description, type, title, content, variables, metadata::json, ai_settings::json,
             version, created_by, created_at, updated_at
        FROM wanted
       WHERE (SELECT count(*) FROM templates WHERE templates.account_id = wanted.account_id) < ${String(MAX_TEMPLATES)}
      RETURNING id
    ), kept AS (${insertVersion('made')}
    ), audited AS (${insertAuditEntries('$2', 'WHERE resource_id IN (SELECT id FROM made)')})
    SELECT id FROM made`,
};

/** Only if the template still is the version before. */
const UPDATE: Statement = {
  name: 'templates.update',
  text: `WITH wanted AS MATERIALIZED (SELECT * FROM ${WRITTEN}
    ), changed AS (
      UPDATE templates AS item
         SET name = wanted.name, description = wanted.description, type = wanted.type, title = wanted.title,
             content = wanted.content, variables = wanted.variables, metadata = wanted.metadata::json,
             ai_settings = wanted.ai_settings::json, version = wanted.version, updated_at = wanted.updated_at
        FROM wanted
       WHERE item.id = wanted.id AND item.account_id = wanted.account_id AND item.version = wanted.version - 1
      RETURNING item.id
    ), kept AS (${insertVersion('changed')}
    ), audited AS (${insertAuditEntries('$2', 'WHERE resource_id IN (SELECT id FROM changed)')})
    SELECT id FROM changed`,
};

/** Its versions go with it. */
const REMOVE: Statement = {
  name: 'templates.remove',
  text: `WITH gone AS (
      DELETE FROM templates WHERE id = $1 AND account_id = $2 AND version = $3 RETURNING id
    ), audited AS (${insertAuditEntries('$4', 'WHERE resource_id IN (SELECT id FROM gone)')})
    SELECT id FROM gone`,
};

const FIND_TEXT = `SELECT ${TEMPLATE_COLUMNS}, item.content FROM templates AS item ${TEMPLATE_JOINS}
  WHERE item.id = $1 AND item.account_id = $2`;

const FIND: Statement = { name: 'templates.find', text: FIND_TEXT };

/** For a change within a transaction: nobody else changes it meanwhile. */
const LOCK: Statement = { name: 'templates.lock', text: `${FIND_TEXT} FOR UPDATE OF item` };

const EXISTS: Statement = {
  name: 'templates.exists',
  text: 'SELECT id FROM templates WHERE id = $1 AND account_id = $2',
};

const FIND_VERSION: Statement = {
  name: 'templates.find-version',
  text: `SELECT ${TEMPLATE_VERSION_COLUMNS}, item.content FROM template_versions AS item ${TEMPLATE_VERSION_JOINS}
          WHERE item.template_id = $1 AND item.account_id = $2 AND item.number = $3`,
};

/** The next version of a template, with what commits with it. */
export interface TemplateWrite {
  template: Template;
  /** Fields that differ from the version before; none in the first. */
  changes: readonly string[];
  /** UUID of the user who makes this version. */
  authorId: string;
  entry: AuditRow;
}

/** Templates and their versions in PostgreSQL; each call runs in the transaction of `executor`, if one is given. */
@Injectable()
export class TemplateStore {
  constructor(private readonly database: Database) {}

  /** Writes a new template; `false` when the account has as many as it may have. */
  async insert(
    write: TemplateWrite,
    { executor, caller }: TransactionContext = {},
  ): Promise<boolean> {
    const inTransaction = async (held: Executor) => {
      await held.run(HOLD, [write.template.accountId]);
      return (await held.run(INSERT, valuesOf(write))).length > 0;
    };
    return executor ? inTransaction(executor) : this.database.transaction(inTransaction, caller);
  }

  /** Writes the next version; `false` when the template is not the version before any more. */
  async update(write: TemplateWrite, executor: Executor = this.database): Promise<boolean> {
    return (await executor.run(UPDATE, valuesOf(write))).length > 0;
  }

  /** Removes the template with its versions; `false` when it is another version by now. */
  async remove(
    { id, accountId, version }: Template,
    entry: AuditRow,
    executor: Executor = this.database,
  ): Promise<boolean> {
    const values = [id, accountId, version, JSON.stringify([entry])];
    return (await executor.run(REMOVE, values)).length > 0;
  }

  /** The template, unless it is another account's. */
  async find(
    accountId: string,
    id: string,
    executor: Executor = this.database,
  ): Promise<Template | undefined> {
    return template(await executor.run<Found<TemplateRow>>(FIND, [id, accountId]));
  }

  /** Whether the account has this template. */
  async exists(accountId: string, id: string): Promise<boolean> {
    return (await this.database.run(EXISTS, [id, accountId])).length > 0;
  }

  /** The template for a change; in a transaction nobody else changes it until that ends. */
  async findForChange(
    accountId: string,
    id: string,
    executor?: Executor,
  ): Promise<Template | undefined> {
    if (!executor) return this.find(accountId, id);
    return template(await executor.run<Found<TemplateRow>>(LOCK, [id, accountId]));
  }

  /** One version of a template, the current one too. */
  async findVersion(
    accountId: string,
    id: string,
    number: number,
    executor: Executor = this.database,
  ): Promise<TemplateVersion | undefined> {
    const values = [id, accountId, number];
    const [row] = await executor.run<Found<TemplateVersionRow>>(FIND_VERSION, values);
    return row && { ...fromVersionRow(row), content: row.content };
  }
}

type Found<Row> = Row & { content: string };

function template([row]: Found<TemplateRow>[]): Template | undefined {
  return row && { ...fromTemplateRow(row), content: row.content };
}

function valuesOf({ template, changes, authorId, entry }: TemplateWrite): [string, string] {
  const row = {
    id: template.id,
    account_id: template.accountId,
    name: template.name,
    description: template.description,
    type: template.type,
    title: template.title,
    content: template.content,
    variables: template.variables,
    metadata: template.metadata,
    ai_settings: template.aiSettings,
    version: template.version,
    created_by: template.createdBy?.id,
    created_at: template.createdAt,
    updated_at: template.updatedAt,
    version_id: newUuid(),
    author: authorId,
    changes,
  };
  return [JSON.stringify(row), JSON.stringify([entry])];
}
