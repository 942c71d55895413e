/**
 * A place in the order of an account's events: after the event `eventId`, which the transaction `transactionId` wrote.
 * Ids are UUIDs, and transactions are numbers as text, for they outgrow a double.
 */
export interface StreamPosition {
  transactionId: string;
  eventId: string;
  /** A `pg_snapshot`: what was visible in it is not shown. `null` once the stream is beyond it. */
  since: string | null;
}

const BEFORE_EVERY_ID = '00000000-0000-0000-0000-000000000000';

/** Where a stream begins that shows what commits after this snapshot, given as PostgreSQL writes it. */
export function positionAt(snapshot: string): StreamPosition {
  const [oldestRunning = '0'] = snapshot.split(':');
  return { transactionId: oldestRunning, eventId: BEFORE_EVERY_ID, since: snapshot };
}

/** Where a stream stands after an event. */
export function positionAfter(
  { since }: Pick<StreamPosition, 'since'>,
  event: { id: string; transactionId: string },
): StreamPosition {
  const beyond = since === null || BigInt(event.transactionId) >= firstUnassigned(since);
  return {
    transactionId: event.transactionId,
    eventId: event.id,
    since: beyond ? null : since,
  };
}

/** A snapshot is written `xmin:xmax:running`; every transaction from xmax on began after it. */
function firstUnassigned(snapshot: string): bigint {
  return BigInt(snapshot.split(':')[1] ?? '0');
}
