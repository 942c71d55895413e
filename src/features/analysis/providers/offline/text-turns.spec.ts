import { FairLimiter } from '../../../../platform/basics/concurrency/fair-limiter.js';
import { TextTurns } from './text-turns.js';

/** Length of a piece, and of texts, in UTF-16 units. */
const PIECE = 1_500;
const SENTENCE = 60;
const TWO_THOUSAND_WORDS = 12_000;
const LONG = 62_000;

/** One thread, which works on a piece of a text after the other. Its clock counts units of finished pieces. */
class Thread {
  now = 0;
  readonly finished: string[] = [];
  private readonly turns = new TextTurns();
  private readonly limiter = new FairLimiter(
    { concurrency: 1, maxWaiting: 10_000, waitLimitMs: 60_000 },
    (why) => new Error(why),
  );

  /** Returns how long the text took. Up to four of its pieces wait at once. */
  async analyze(accountId: string, length: number, signal?: AbortSignal): Promise<number> {
    const start = this.now;
    await this.turns.run(accountId, length, async (turn) => {
      for (let left = length; left > 0; left -= 4 * PIECE) {
        const pieces = Array.from({ length: 4 }, (_, index) =>
          Math.min(PIECE, left - index * PIECE),
        ).filter((size) => size > 0);
        await Promise.all(
          pieces.map((size) =>
            this.limiter.run({ owner: accountId, turn, signal }, async () => {
              await new Promise(setImmediate);
              this.now += size;
            }),
          ),
        );
      }
    });
    this.finished.push(accountId);
    return this.now - start;
  }
}

/** Starts texts that run while the text of another account is analyzed. */
function started(count: number, start: (index: number) => Promise<unknown>): Promise<unknown> {
  return Promise.all(Array.from({ length: count }, (_, index) => start(index)));
}

/** Has an account send texts, each after the previous one, until `isOver`. */
async function flood(thread: Thread, accountId: string, length: number, isOver: () => boolean) {
  while (!isOver()) await thread.analyze(accountId, length);
}

describe('Texts of accounts take turns in pieces', () => {
  it.each([
    ['eight long texts of one account', 8, () => 'a', LONG],
    ['a long text of each of forty accounts', 40, String, LONG],
    ['thirty texts of 2,000 words of one account', 30, () => 'a', TWO_THOUSAND_WORDS],
  ])(
    'so a text beside %s takes about twice as long as alone at most',
    async (_, count, owner, long) => {
      for (const own of [SENTENCE, TWO_THOUSAND_WORDS]) {
        const thread = new Thread();
        const others = started(count, (index) => thread.analyze(owner(index), long));
        const took = await thread.analyze('b', own);
        expect(took).toBeLessThanOrEqual(2 * own + 4 * PIECE);
        await others;
      }
    },
  );

  it('so a sentence does not wait for forty accounts with 2,000 words each', async () => {
    const thread = new Thread();
    const others = started(40, (index) => thread.analyze(String(index), TWO_THOUSAND_WORDS));
    expect(await thread.analyze('b', SENTENCE)).toBeLessThanOrEqual(SENTENCE + 2 * PIECE);
    await others;
  });

  it('so an account that never stops sending sentences does not hold up a text of another', async () => {
    const thread = new Thread();
    let isOver = false;
    const others = started(30, () => flood(thread, 'a', SENTENCE, () => isOver));
    const took = await thread.analyze('b', TWO_THOUSAND_WORDS);
    isOver = true;
    expect(took).toBeLessThanOrEqual(2 * TWO_THOUSAND_WORDS + 2 * PIECE);
    await others;
  });

  it('so forty accounts that never stop sending sentences do not hold up a text of another', async () => {
    const thread = new Thread();
    let isOver = false;
    const others = started(40, (index) => flood(thread, String(index), SENTENCE, () => isOver));
    const took = await thread.analyze('b', TWO_THOUSAND_WORDS);
    isOver = true;
    expect(took).toBeLessThanOrEqual(2 * TWO_THOUSAND_WORDS);
    await others;
  });

  it('and a long text is finished although others never stop sending short ones', async () => {
    const thread = new Thread();
    let isOver = false;
    const others = started(5, (index) =>
      flood(thread, String(index), TWO_THOUSAND_WORDS, () => isOver),
    );
    // It has a quarter of the turns, after the five texts that came before it.
    expect(await thread.analyze('b', LONG)).toBeLessThanOrEqual(
      4 * (LONG + 6 * TWO_THOUSAND_WORDS),
    );
    isOver = true;
    await others;
  });

  it('and those of one length end one after the other, not all at the end', async () => {
    const thread = new Thread();
    const times: number[] = [];
    await started(4, async (index) => times.push(await thread.analyze(String(index), LONG)));
    expect(times[0]).toBeLessThan(2 * LONG);
    expect(thread.finished).toHaveLength(4);
  });

  it('and a text whose client is gone takes no more turns', async () => {
    const thread = new Thread();
    const gone = new AbortController();
    const first = thread.analyze('a', LONG, gone.signal);
    const other = thread.analyze('b', SENTENCE);
    gone.abort();
    await expect(first).rejects.toThrow('aborted');
    await other;
    expect(thread.now).toBeLessThanOrEqual(PIECE + SENTENCE);
  });
});
