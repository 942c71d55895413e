import { AsyncLocalStorage } from 'node:async_hooks';
import { Announcements } from './announcements.js';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
/** Lets everything happen that waits for nothing but turns of the event loop. */
const turns = async () => {
  for (let count = 0; count < 3; count += 1) await turn();
};

/** Announcements whose statements and pauses end when the test decides. */
function controlled() {
  const sent: { statement: string; keys: string[]; end: () => void; fail: () => void }[] = [];
  const pauses: { ms: number; end: () => void }[] = [];
  const clock = { now: 0 };
  const announcements = new Announcements<string>(
    (statement, keys) =>
      new Promise<void>((resolve, reject) => {
        const fail = () => {
          reject(new Error('lost'));
        };
        sent.push({ statement, keys, end: resolve, fail });
      }),
    () => clock.now,
    (ms) => (ms > 0 ? new Promise((end) => pauses.push({ ms, end })) : turn()),
  );
  return { announcements, sent, pauses, clock };
}

describe('Announcements', () => {
  it('are sent at once when none was sent for 10 ms, each key once and never without keys', async () => {
    const { announcements, sent, pauses, clock } = controlled();
    announcements.add('due', []);
    await turns();
    expect(sent).toEqual([]);
    announcements.add('due', ['a', 'b']);
    announcements.add('due', ['b', 'c']);
    await turns();
    expect(sent).toMatchObject([{ statement: 'due', keys: ['a', 'b', 'c'] }]);
    sent[0]?.end();
    await turns();
    clock.now += 10;
    announcements.add('due', ['a']);
    await turns();
    expect(sent).toHaveLength(2);
    expect(pauses).toEqual([]);
  });

  it('gather for the rest of 10 ms after the last one began', async () => {
    const { announcements, sent, pauses, clock } = controlled();
    announcements.add('due', ['a']);
    await turns();
    sent[0]?.end();
    await turns();
    clock.now += 4;
    announcements.add('due', ['b']);
    await turns();
    announcements.add('due', ['c']);
    await turns();
    expect(sent).toHaveLength(1);
    expect(pauses).toMatchObject([{ ms: 6 }]);
    clock.now += 6;
    pauses[0]?.end();
    await turns();
    expect(sent[1]?.keys).toEqual(['b', 'c']);
  });

  it('gather while one is under way, however long it takes', async () => {
    const { announcements, sent, pauses, clock } = controlled();
    announcements.add('due', ['a']);
    await turns();
    announcements.add('due', ['b']);
    clock.now += 1_000;
    await turns();
    announcements.add('due', ['a']);
    await turns();
    expect(sent).toHaveLength(1);
    sent[0]?.end();
    await turns();
    expect(sent[1]?.keys).toEqual(['b', 'a']);
    expect(pauses).toEqual([]);
  });

  it('of different statements are sent one after another', async () => {
    const { announcements, sent, pauses } = controlled();
    announcements.add('due', ['a']);
    announcements.add('jobs', ['']);
    await turns();
    expect(sent.map(({ statement }) => statement)).toEqual(['due']);
    sent[0]?.end();
    await turns();
    expect(sent.map(({ statement }) => statement)).toEqual(['due', 'jobs']);
    expect(pauses).toEqual([]);
  });

  it('that fail are dropped, and the next ones are sent', async () => {
    const { announcements, sent, clock } = controlled();
    announcements.add('due', ['a']);
    announcements.add('jobs', ['']);
    await turns();
    sent[0]?.fail();
    await turns();
    expect(sent[1]).toMatchObject({ statement: 'jobs' });
    sent[1]?.fail();
    await turns();
    clock.now += 10;
    announcements.add('due', ['b']);
    await turns();
    expect(sent[2]?.keys).toEqual(['b']);
  });

  it('never run in the context of a caller, such as its transaction', async () => {
    const context = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const announcements = new Announcements<string>(() =>
      Promise.resolve(seen.push(context.getStore())),
    );
    context.run('a transaction', () => {
      announcements.add('due', ['a']);
    });
    while (seen.length === 0) await turn();
    expect(seen).toEqual([undefined]);
  });
});
