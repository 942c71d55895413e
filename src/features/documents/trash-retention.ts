import { Injectable } from '@nestjs/common';
import {
  HOUR_MS,
  RunsInBackground,
  type BackgroundTask,
} from '../../platform/background/background-tasks.js';
import { Clock } from '../../platform/basics/clock/clock.js';
import { Database, type Statement } from '../../platform/database/database.js';
import { markRedacted } from '../events/redaction.js';
import { TRASH_DAYS } from '../content/trash-days.js';
import { DAY_MS } from './document-trash.service.js';

const BATCH = 200;

/** The service does this by itself, so the audit entries name nobody. */
const PURGE: Statement = {
  name: 'documents.purge',
  text: `WITH gone AS (
      DELETE FROM documents WHERE id IN (
        SELECT id FROM documents WHERE deleted_at <= $1 ORDER BY deleted_at LIMIT ${String(BATCH)} FOR UPDATE SKIP LOCKED)
      RETURNING id, account_id
    ), versions AS (
      DELETE FROM document_versions WHERE document_id IN (SELECT id FROM gone)
    ), hidden AS (${markRedacted('SELECT id FROM gone')}
    ), audited AS (
      INSERT INTO audit_log (id, account_id, action, resource_id, details, created_at)
      SELECT uuid_v7(), account_id, 'document.purge', id, '{"by":"service","reason":"${String(TRASH_DAYS)} days in the trash"}', $2
        FROM gone
    )
    SELECT id FROM gone`,
};

/** Empties the trash of what has been in it for 30 days. */
@RunsInBackground({ name: 'The removal of old documents from the trash', everyMs: HOUR_MS })
@Injectable()
export class TrashRetention implements BackgroundTask {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async runBatch(): Promise<boolean> {
    const now = this.clock.now();
    const cutoff = new Date(now.getTime() - TRASH_DAYS * DAY_MS);
    return (await this.database.run(PURGE, [cutoff, now])).length === BATCH;
  }
}
