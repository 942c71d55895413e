import type { Database, Statement } from '../../database/database.js';
import {
  fromTemplateRow,
  fromVersionRow,
  TEMPLATE_COLUMNS,
  TEMPLATE_JOINS,
  TEMPLATE_VERSION_COLUMNS,
  TEMPLATE_VERSION_JOINS,
  type TemplateRow,
  type TemplateVersionRow,
} from '../template-row.js';
import type { TemplateField } from '../template.js';
import type { ArchivedTemplate, ArchivedTemplateVersion } from './archived-template.js';

/** What one batch of versions may hold. */
const BATCH_ROWS = 500;
const BATCH_BYTES = 4 * 1024 ** 2;

const COUNT: Statement = {
  name: 'templates.archive-count',
  text: `SELECT count(*)::double precision AS templates, coalesce(sum(version - 1), 0)::double precision AS versions
           FROM templates WHERE account_id = $1`,
};

/** Few enough to be named at once. */
const LIST: Statement = {
  name: 'templates.archive-list',
  text: 'SELECT id FROM templates WHERE account_id = $1 ORDER BY created_at, id',
};

const READ: Statement = {
  name: 'templates.archive',
  text: `SELECT ${TEMPLATE_COLUMNS}, item.content FROM templates AS item ${TEMPLATE_JOINS}
          WHERE item.id = $1 AND item.account_id = $2`,
};

/** Versions up to `$3`, the newest first, as many as fit. */
const READ_VERSIONS: Statement = {
  name: 'templates.archive-versions',
  text: `WITH fitting AS MATERIALIZED (
      SELECT id, row_number() OVER following AS place, sum(octet_length(content)) OVER following AS bytes
        FROM template_versions
       WHERE template_id = $1 AND account_id = $2 AND number <= $3
      WINDOW following AS (ORDER BY number DESC)
       ORDER BY number DESC LIMIT ${String(BATCH_ROWS)}
    )
    SELECT ${TEMPLATE_VERSION_COLUMNS}, item.content
      FROM fitting JOIN template_versions AS item ON item.id = fitting.id ${TEMPLATE_VERSION_JOINS}
     WHERE fitting.place = 1 OR fitting.bytes <= ${String(BATCH_BYTES)}
     ORDER BY item.number DESC`,
};

type WholeVersionRow = TemplateVersionRow & { content: string };

/** How many templates an account has, and how many versions of them that were replaced. */
export async function countArchived(
  database: Database,
  accountId: string,
): Promise<{ templates: number; versions: number }> {
  const [row] = await database.run<{ templates: number; versions: number }>(COUNT, [accountId]);
  return row ?? { templates: 0, versions: 0 };
}

/**
 * Every template of an account, each followed by the versions it had before, the newest first. One state of all of them
 * if `database` is a transaction that sees one.
 */
export async function* readTemplates(
  database: Database,
  accountId: string,
): AsyncGenerator<ArchivedTemplate | ArchivedTemplateVersion> {
  for (const { id } of await database.run<{ id: string }>(LIST, [accountId])) {
    const [row] = await database.run<TemplateRow & { content: string }>(READ, [id, accountId]);
    const versions = readVersions(database, accountId, id, row?.version ?? 0);
    // Each version is kept as a row of its own, the current one too.
    const current = await versions.next();
    if (!row || current.done === true) throw new Error('A template lacks its current version.');
    const { changes, author } = current.value;
    yield { ...fromTemplateRow(row), content: row.content, changes, author };
    yield* versions;
  }
}

async function* readVersions(
  database: Database,
  accountId: string,
  templateId: string,
  newest: number,
): AsyncGenerator<ArchivedTemplateVersion, void> {
  for (let number = newest; number > 0;) {
    const values = [templateId, accountId, number];
    const rows = await database.run<WholeVersionRow>(READ_VERSIONS, values);
    for (const row of rows) {
      if (row.number !== number) throw new Error('A template lacks one of its versions.');
      const { changes, ...version } = fromVersionRow(row);
      yield {
        ...version,
        templateId,
        content: row.content,
        changes: changes as readonly TemplateField[],
      };
      number -= 1;
    }
    if (rows.length === 0) throw new Error('A template lacks one of its versions.');
  }
}
