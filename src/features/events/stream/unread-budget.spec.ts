import { UnreadBudget, type UnreadStream } from './unread-budget.js';

const MIB = 1024 ** 2;

const stream = (accountId: string, unreadBytes: number, checks = 0): UnreadStream => ({
  principal: { accountId },
  unreadBytes,
  checksWithoutReading: () => checks,
});

describe('the unread bytes of event streams', () => {
  it('are limited to 16 MiB for all streams of an account, and for each account', () => {
    const budget = new UnreadBudget([stream('a', 10 * MIB), stream('b', 10 * MIB)]);
    expect(['a', 'b', 'c'].map((account) => budget.isFull(account))).toEqual([false, false, false]);
    budget.add(stream('a', 6 * MIB));
    expect(['a', 'b', 'c'].map((account) => budget.isFull(account))).toEqual([true, false, false]);
  });

  it('close the slowest readers of a full account, and no more than necessary', () => {
    const slow = stream('a', 7 * MIB, 3);
    const slowest = stream('a', 2 * MIB, 9);
    const others = [
      stream('a', 7 * MIB, 2),
      stream('a', 6 * MIB, 1),
      stream('a', 0, 50),
      stream('b', 15 * MIB, 50),
    ];
    const streams = [slow, ...others, slowest];
    expect(new UnreadBudget(streams).toClose(streams)).toEqual([slowest, slow]);
  });

  it('close no stream whose client reads', () => {
    const streams = [stream('a', 20 * MIB, 0), stream('a', 20 * MIB, 1)];
    expect(new UnreadBudget(streams).toClose(streams)).toEqual([]);
  });
});
