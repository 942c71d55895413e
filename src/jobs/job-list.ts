import { Injectable } from '@nestjs/common';
import { grants, type Scope } from '../auth/scopes.js';
import type { Principal } from '../auth/principal.js';
import { requireScope } from '../auth/scope.guard.js';
import { Database, type Statement } from '../database/database.js';
import { notFound } from '../errors/app-error.js';
import { uuidOf } from '../identifiers/identifiers.js';
import { byCreation, type CreationSort } from '../pagination/creation-order.js';
import { readPage, type Listing, type Page, type PageRequest } from '../pagination/read-page.js';
import { fromRow, JOB_COLUMNS, type JobRow } from './job-row.js';
import { JOB_KINDS, JOB_SCOPES, type Job } from './job.js';

/** The jobs that keys with some of the scopes may read; few enough to be counted, they go after 30 days. */
function listingOf(name: string, scopes: readonly Scope[]): Listing<CreationSort> {
  const kinds = JOB_KINDS.filter((kind) => grants(scopes, JOB_SCOPES[kind]));
  const where = `item.account_id = $1 AND item.kind IN (${kinds.map((kind) => `'${kind}'`).join(', ')})`;
  return {
    name,
    table: 'jobs',
    where,
    total: `SELECT count(*) AS n FROM jobs AS item WHERE ${where}`,
    columns: JOB_COLUMNS,
    sorts: byCreation(),
  };
}

const ALL_JOBS = listingOf('jobs.all', ['*']);
const JOBS_OF_DOCUMENTS = listingOf('jobs.documents', ['documents:read']);

const FIND: Statement = {
  name: 'jobs.find',
  text: `SELECT ${JOB_COLUMNS} FROM jobs AS item WHERE id = $1 AND account_id = $2`,
};

/** The jobs of an account. */
@Injectable()
export class JobList {
  constructor(private readonly database: Database) {}

  /** One page of the jobs that the caller's key may read. */
  async list(
    { accountId, scopes }: Principal,
    request: PageRequest<CreationSort>,
  ): Promise<Page<Job>> {
    const listing = grants(scopes, '*') ? ALL_JOBS : JOBS_OF_DOCUMENTS;
    const { rows, pagination } = await readPage<JobRow, CreationSort>(
      this.database,
      listing,
      accountId,
      request,
    );
    return { rows: rows.map(fromRow), pagination };
  }

  /** One job. Throws `not_found`, and `forbidden` when the caller's key lacks what its kind needs. */
  async find(principal: Principal, id: string): Promise<Job> {
    const values = [uuidOf('job', id), principal.accountId];
    const [row] = await this.database.run<JobRow>(FIND, values);
    if (!row) throw notFound('job');
    requireScope(principal, JOB_SCOPES[row.kind]);
    return fromRow(row);
  }
}
