/**
 * Bytes that all streams of an account may have unread. At this limit, its streams get nothing more until their clients
 * have read some.
 */
const MAX_UNREAD = 16 * 1024 ** 2;
/** Checks without any reading after which a stream may be closed. The first one can follow a pause of this process. */
const CHECKS_BEFORE_CLOSING = 2;

/** A stream whose client may not have read everything. */
export interface UnreadStream {
  principal: { accountId: string };
  /** Bytes that the client has not read and the system has not taken. */
  unreadBytes: number;
  /** Counts a check. Returns how many there were since the client has read something. */
  checksWithoutReading: () => number;
}

/** The unread bytes of some streams by account, when they were counted. */
export class UnreadBudget {
  private readonly unread = new Map<string, number>();

  constructor(streams: Iterable<UnreadStream>) {
    for (const stream of streams) this.add(stream);
  }

  /** Adds what a stream has unread. */
  add({
    principal: { accountId },
    unreadBytes,
  }: Pick<UnreadStream, 'principal' | 'unreadBytes'>): void {
    this.unread.set(accountId, this.unreadBytesOf(accountId) + unreadBytes);
  }

  isFull(accountId: string): boolean {
    return this.unreadBytesOf(accountId) >= MAX_UNREAD;
  }

  /**
   * Returns the streams to close, so that the others of a full account get events again. Their clients have not read for
   * some checks, the longest first, and resume after the last event they received. Call once a check.
   */
  toClose<Stream extends UnreadStream>(streams: Iterable<Stream>): Stream[] {
    return Array.from(streams, (stream) => ({ stream, checks: stream.checksWithoutReading() }))
      .filter(({ checks, stream }) => checks >= CHECKS_BEFORE_CLOSING && stream.unreadBytes > 0)
      .sort((one, other) => other.checks - one.checks)
      .flatMap(({ stream }) => {
        const { accountId } = stream.principal;
        if (!this.isFull(accountId)) return [];
        this.unread.set(accountId, this.unreadBytesOf(accountId) - stream.unreadBytes);
        return [stream];
      });
  }

  private unreadBytesOf(accountId: string): number {
    return this.unread.get(accountId) ?? 0;
  }
}
