import { TEXT_FIELDS } from './variables.js';
import type { TemplateFields } from '../template-fields.js';
import { TEMPLATE_WORK } from './template-thread.js';
import { TemplateThreads } from './template-threads.js';

const MIB = 1024 ** 2;

const template = (content: string): TemplateFields => ({
  name: 'T',
  description: null,
  type: 'document',
  title: 'To {{a}}',
  content,
  variables: '[]',
  metadata: '{"tags":["{{b}}"]}',
  aiSettings: '{}',
});
const LONG = template('{{a}} {{b}} {{c d}}'.repeat(MIB / 20));
const SHORT = template('{{a}} {{b}} {{c d}}'.repeat(100));
const MANY = template(
  Array.from({ length: 5_000 }, (_, index) => `{{v${String(index)}}}`).join(' '),
);

const fillingOf = (fields: TemplateFields, inputs = '{"a":1.0,"x":"y"}') => ({
  template: fields,
  inputs,
  taken: new Set(TEXT_FIELDS),
});

let threads: TemplateThreads;
beforeAll(() => {
  threads = new TemplateThreads();
});
afterAll(() => threads.onApplicationShutdown());

const aLongValue = () => fillingOf(SHORT, JSON.stringify({ a: 'x'.repeat(MIB) }));

/** Returns the outcome of `work`, and how often this thread did it. */
async function outcomeOf<Result>(work: () => Promise<Result>) {
  const here = [];
  for (const kind of ['fill', 'problems', 'warnings'] as const) {
    here.push(jest.spyOn(TEMPLATE_WORK, kind).mock.calls);
  }
  const result = await work().catch((error: unknown) => (error as Error).message);
  const calls = here.flat().length;
  jest.restoreAllMocks();
  return { result, calls };
}

describe('work on a template', () => {
  it.each<[string, () => Promise<unknown>, () => unknown]>([
    ['filling', () => threads.fill('a', fillingOf(LONG)), () => TEMPLATE_WORK.fill(fillingOf(LONG))],
    ['filling with a long value', () => threads.fill('a', aLongValue()), () => TEMPLATE_WORK.fill(aLongValue())],
    ['looking for warnings', () => threads.warnings('a', LONG), () => TEMPLATE_WORK.warnings(LONG)],
    ['a check', () => threads.valid('a', LONG), () => LONG],
    ['a check that fails', () => threads.valid('a', MANY), () => expect.stringContaining('at most 100') as unknown],
  ])('runs in another thread for long texts, with the same result: %s', async (_, inThread, atOnce) => {
    const { result, calls } = await outcomeOf(inThread);
    expect(result).toEqual(atOnce());
    expect(calls).toBe(0);
  }); // prettier-ignore

  it.each<[string, () => Promise<unknown>]>([
    ['filling', () => threads.fill('a', fillingOf(SHORT))],
    ['looking for warnings', () => threads.warnings('a', SHORT)],
    ['a check', () => threads.valid('a', SHORT)],
  ])('runs directly for short texts: %s', async (_, work) => {
    expect((await outcomeOf(work)).calls).toBe(1);
  });
});
