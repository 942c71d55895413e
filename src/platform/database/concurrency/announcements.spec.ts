import { AsyncLocalStorage } from 'node:async_hooks';
import { Announcements } from './announcements.js';

/** Announcements whose statements and pauses end when the test decides. */
function controlled() {
  const sent: { statement: string; keys: string[]; end: () => void; fail: () => void }[] = [];
  const pauses: (() => void)[] = [];
  const announcements = new Announcements<string>(
    (statement, keys) =>
      new Promise<void>((resolve, reject) => {
        const fail = () => {
          reject(new Error('lost'));
        };
        sent.push({ statement, keys, end: resolve, fail });
      }),
    () => new Promise((resolve) => pauses.push(resolve)),
  );
  return { announcements, sent, pauses };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));
/** Lets everything happen that waits for nothing but turns of the event loop. */
const turns = async () => {
  for (let count = 0; count < 3; count += 1) await turn();
};

describe('Announcements', () => {
  it('are sent at once when none is under way, each key once and never without keys', async () => {
    const { announcements, sent, pauses } = controlled();
    announcements.add('due', []);
    await turns();
    expect(sent).toEqual([]);
    announcements.add('due', ['a', 'b']);
    announcements.add('due', ['b', 'c']);
    await turns();
    expect(sent).toMatchObject([{ statement: 'due', keys: ['a', 'b', 'c'] }]);
    sent[0]?.end();
    pauses[0]?.();
    await turns();
    announcements.add('due', ['a']);
    await turns();
    expect(sent).toHaveLength(2);
    expect(pauses).toHaveLength(2);
  });

  it.each([
    ['statement', 'pause'],
    ['pause', 'statement'],
  ])(
    'gather while one is under way, until its statement and its pause have ended (%s first)',
    async (first) => {
      const { announcements, sent, pauses } = controlled();
      announcements.add('due', ['a']);
      await turns();
      announcements.add('due', ['b']);
      await turns();
      if (first === 'statement') sent[0]?.end();
      else pauses[0]?.();
      await turns();
      announcements.add('due', ['a']);
      await turns();
      expect(sent).toHaveLength(1);
      if (first === 'statement') pauses[0]?.();
      else sent[0]?.end();
      await turns();
      expect(sent.map(({ keys }) => keys)).toEqual([['a'], ['b', 'a']]);
    },
  );

  it('of different statements are sent one after another', async () => {
    const { announcements, sent, pauses } = controlled();
    announcements.add('due', ['a']);
    announcements.add('jobs', ['']);
    await turns();
    expect(sent.map(({ statement }) => statement)).toEqual(['due']);
    sent[0]?.end();
    await turns();
    expect(sent.map(({ statement }) => statement)).toEqual(['due', 'jobs']);
    expect(pauses).toHaveLength(1);
  });

  it('that fail are dropped, and the next ones are sent', async () => {
    const { announcements, sent, pauses } = controlled();
    announcements.add('due', ['a']);
    announcements.add('jobs', ['']);
    await turns();
    sent[0]?.fail();
    await turns();
    expect(sent[1]).toMatchObject({ statement: 'jobs' });
    sent[1]?.fail();
    pauses[0]?.();
    await turns();
    announcements.add('due', ['b']);
    await turns();
    expect(sent[2]?.keys).toEqual(['b']);
  });

  it('never run in the context of a caller, such as its transaction', async () => {
    const context = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const announcements = new Announcements<string>(
      () => Promise.resolve(seen.push(context.getStore())),
      turns,
    );
    context.run('a transaction', () => {
      announcements.add('due', ['a']);
    });
    while (seen.length === 0) await turn();
    expect(seen).toEqual([undefined]);
  });
});
