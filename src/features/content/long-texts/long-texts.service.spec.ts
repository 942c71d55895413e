import { applyEdits, type TextEdit } from '../text/text-edits.js';
import { diffContents } from '../text/content-diff.js';
import { countWords } from '@document-service/text-analysis/word-count';
import { LONG_TEXT_WORK } from './long-text-thread.js';
import { LongTextsService } from './long-texts.service.js';

const MIB = 1024 * 1024;
const LABELS = { from: 'v1', to: 'v2' };
const EVERYWHERE: TextEdit[] = [{ op: 'replace', find: 'b', with: '\u2028🙂', all: true }];

const lines = (word: string, units: number) =>
  Array.from({ length: units / 16 }, (_, n) => `${word} ${String((n * 7919) % 9973)}\n`).join('');
const before = lines('quick', MIB / 2);
const after = lines('brown', MIB / 2);
const SIDES = [{ base: before, yours: `${before}!`, theirs: lines('slow', MIB / 2) }];
const chinese = '永和九年歲在癸丑🙂'.repeat(20_000);

let texts: LongTextsService;
beforeAll(async () => {
  texts = new LongTextsService();
  // Threads start slowly when they run from sources.
  await texts.words('account', chinese);
});
afterAll(() => texts.onApplicationShutdown());

/** Returns the result of `work` and the number of turns of the event loop meanwhile. */
async function turnsDuring<Result>(work: () => Promise<Result>): Promise<[Result, number]> {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  const result = await work();
  clearInterval(timer);
  return [result, turns];
}

describe('work on a long text', () => {
  it.each([
    ['a diff', () => texts.diff('a', before, after, LABELS), () => JSON.stringify(diffContents(before, after, LABELS))],
    ['a change', () => texts.change('a', before, after), () => LONG_TEXT_WORK.change({ before, after })],
    ['a word count', () => texts.words('a', chinese), () => countWords(chinese)],
    ['a merge', () => texts.merged('a', SIDES), () => LONG_TEXT_WORK.merge({ sides: SIDES })],
    ['an edit everywhere', () => texts.edited('a', 'ab'.repeat(100_000), EVERYWHERE, MIB), () => applyEdits('ab'.repeat(100_000), EVERYWHERE, MIB)],
    ['an edit that is refused', () => texts.edited('a', 'ab'.repeat(300_000), EVERYWHERE, MIB), () => applyEdits('ab'.repeat(300_000), EVERYWHERE, MIB)],
  ])('gives the same result with %s in a thread, without blocking the event loop', async (_, inThread, atOnce) => {
    const [result, turns] = await turnsDuring<unknown>(inThread);
    expect(result).toEqual(await atOnce());
    expect(turns).toBeGreaterThan(0);
  }); // prettier-ignore

  it.each([
    ['a diff', () => texts.diff('a', 'one\n', 'two\n', LABELS)],
    ['a small change of a long text', () => texts.change('a', before, `${before}!`)],
    ['the words of a long text with spaces', () => texts.words('a', before)],
    [
      'a merge of which one side changed nothing',
      () => texts.merged('a', [{ base: before, yours: after, theirs: before }]),
    ],
    ['an edit of one place', () => texts.edited('a', before, [{ op: 'append', text: '!' }], MIB)],
  ])('runs directly for short texts: %s', async (_, work) => {
    const [, turns] = await turnsDuring<unknown>(work);
    expect(turns).toBe(0);
  });
});
