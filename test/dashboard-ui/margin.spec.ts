import { Acceptances } from '../../packages/dashboard/src/pages/documents/editor/acceptances.js';
import { Announcements } from '../../packages/dashboard/src/pages/documents/editor/announcements.js';
import {
  bothTexts,
  compareText,
  moveConflicts,
} from '../../packages/dashboard/src/pages/documents/editor/conflicts.js';
import { topsOf } from '../../packages/dashboard/src/pages/documents/margin/stack-cards.js';

const stored = new Map<string, unknown>();
jest.mock('idb-keyval', () => ({
  get: (key: string) => Promise.resolve(stored.get(key)),
  set: (key: string, value: unknown) => Promise.resolve(stored.set(key, value)),
  del: (key: string) => Promise.resolve(stored.delete(key)),
}));

describe('the cards of the margin', () => {
  it('the cards of the margin stand beside their lines, and below the card before', () => {
    expect(topsOf([10, 20, 300], [50, 50, 50], -1)).toEqual([10, 68, 300]);
  });

  it('the cards of the margin make room for the picked card, which stands at its line', () => {
    expect(topsOf([200, 220, 240], [50, 50, 50], 1)).toEqual([162, 220, 278]);
    expect(topsOf([200, 220, 240], [50, 50, 50], 2)).toEqual([124, 182, 240]);
  });

  it('the cards of the margin stay below the top of the text', () => {
    expect(topsOf([10, 20, 30], [50, 50, 50], 2)).toEqual([10, 68, 126]);
  });
});

describe('the conflicts of a text', () => {
  it('the conflicts of a text are saved with their words, and everything else with yours', () => {
    const conflict = { id: 'a', from: 8, to: 9, base: { from: 8, to: 13 } };
    const { content, open, saved } = compareText('one two three four', 'ONE two 3 four', [
      conflict,
    ]);
    expect(content).toBe('ONE two three four');
    expect(open).toEqual([{ ...conflict, yours: '3', theirs: 'three' }]);
    expect(saved).toEqual([{ from: 8, to: 13 }]);
  });

  it.each([
    ['typing within', 'a [mine] b', 'a [minne] b'],
    ['typing a word behind it', 'a [mine] b', 'a [mine] too b'],
    ['typing before', 'a [mine] b', 'aa [mine] b'],
    ['typing behind', 'a [mine] b', 'a [mine] bb'],
    ['deleting all of it', 'a [mine] b', 'a [] b'],
    ['replacing from before into it', 'a [my words] b', 'X[ words] b'],
    ['replacing from within to behind', 'a [my words] b', 'a [my ]Y'],
    ['replacing more than all of it', 'a [mine] b', 'Z[]'],
  ])('the conflicts of a text move with the text: %s', (_, before, after) => {
    const rangeOf = (text: string) => ({ from: text.indexOf('['), to: text.indexOf(']') - 1 });
    const plain = (text: string) => text.replace('[', '').replace(']', '');
    const conflict = { id: 'a', ...rangeOf(before), base: { from: 0, to: 1 } };
    const [moved] = moveConflicts([conflict], plain(before), plain(after));
    expect(moved).toEqual({ ...conflict, ...rangeOf(after) });
  });

  it.each([
    ['mine', 'theirs', 'mine theirs'],
    ['mine\n', 'theirs\n', 'mine\ntheirs\n'],
    ['a\nb', 'c', 'a\nb\nc'],
    ['', 'theirs', 'theirs'],
  ])('the conflicts of a text keep both texts apart: %j and %j', (yours, theirs, both) => {
    expect(bothTexts({ yours, theirs })).toBe(both);
  });
});

describe('accepted suggestions', () => {
  beforeEach(() => {
    stored.clear();
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  const none = new Set<string>();
  const acceptance = (id: string, enhancementId = 'enh_1') => ({ id, enhancementId, value: 'the' });

  it('accepted suggestions are recorded in requests of up to 500, and then forgotten', async () => {
    const sent: [string, number][] = [];
    const acceptances = new Acceptances(
      () => 'place',
      (enhancementId, ids) => {
        sent.push([enhancementId, ids.length]);
        return Promise.resolve();
      },
    );
    acceptances.add(Array.from({ length: 501 }, (_, index) => acceptance(String(index))));
    acceptances.add([acceptance('x', 'enh_2')]);
    expect(acceptances.has('500')).toBe(true);
    acceptances.send(none);
    await settled();
    expect(sent).toEqual([
      ['enh_1', 500],
      ['enh_1', 1],
      ['enh_2', 1],
    ]);
    expect(acceptances.isEmpty).toBe(true);
    expect(stored.size).toBe(0);
  });

  it('accepted suggestions are recorded only while their replacement is in the saved text: undo, redo, conflicts', async () => {
    const sent: string[][] = [];
    const acceptances = new Acceptances(
      () => 'place',
      (_, ids) => {
        sent.push(ids);
        return Promise.resolve();
      },
    );
    acceptances.add([acceptance('a'), acceptance('b'), acceptance('c')]);
    acceptances.review(({ id }) => id !== 'a');
    acceptances.send(new Set(['b']));
    await settled();
    expect(sent).toEqual([['c']]);
    acceptances.review(() => true);
    acceptances.send(none);
    await settled();
    expect(sent).toEqual([['c'], ['a', 'b']]);
  });

  it('survive a failure and a reload, and are sent again after the next save', async () => {
    let isOffline = true;
    const sent: string[][] = [];
    const record = (_: string, ids: string[]) => {
      if (isOffline) return Promise.reject(new Error('Offline.'));
      sent.push(ids);
      return Promise.resolve();
    };
    const before = new Acceptances(() => 'place', record);
    before.add([acceptance('a'), acceptance('b')]);
    before.review(({ id }) => id === 'a');
    before.send(none);
    await settled();
    const after = new Acceptances(() => 'place', record);
    await after.load();
    isOffline = false;
    after.send(none);
    await settled();
    expect(sent).toEqual([['a']]);
  });
});

describe('announcements of what others changed', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('announcements of what others changed come at once, and then at most every ten seconds', () => {
    const said: string[] = [];
    const announcements = new Announcements((sentence) => said.push(sentence));
    announcements.add({ name: 'Ada', passages: 1 });
    jest.advanceTimersByTime(0);
    announcements.add({ name: 'Ada', passages: 1 });
    announcements.add({ name: undefined, passages: 1 });
    announcements.add({ name: 'Ada', passages: 2 });
    jest.advanceTimersByTime(9_900);
    expect(said).toEqual(['Ada changed 1 passage.']);
    jest.advanceTimersByTime(200);
    expect(said[1]).toBe('Ada changed 3 passages. Someone changed 1 passage.');
  });
});
