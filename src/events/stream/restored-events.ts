import type { DataSource } from 'typeorm';

/** Any number, the same in every replica. */
const LOCK = 4_711_006;

/** Whether this database has the order of the stream: an operator may start before migrating. */
const HAS_ORDER = `SELECT to_regproc('oldest_running_transaction') IS NOT NULL AS found`;

/** A transaction that this server has not had cannot have written what we see: the rows come from another server. */
const IS_RESTORED = `SELECT EXISTS (
    SELECT FROM accounts AS account
     CROSS JOIN LATERAL (SELECT transaction_id FROM events AS event WHERE event.account_id = account.id
                          ORDER BY transaction_id DESC LIMIT 1) AS newest
     WHERE newest.transaction_id >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint
  ) AS found`;

/**
 * After a dump was loaded into another server its events carry numbers that are still to come there, and streams would
 * hide new events behind them for long. They are put before everything new, in the order of their ids. Returns whether
 * that was necessary. Call before anything is served; without a limit on the time of statements.
 */
export async function settleRestoredEvents(dataSource: DataSource): Promise<boolean> {
  return dataSource.transaction(async (session) => {
    const asks = async (question: string) => {
      const [answer] = await session.query<{ found: boolean }[]>(question);
      return answer?.found === true;
    };
    if (!(await asks(HAS_ORDER))) return false;
    await session.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    if (!(await asks(IS_RESTORED))) return false;
    await session.query('UPDATE events SET transaction_id = 0 WHERE transaction_id <> 0');
    return true;
  });
}
