import { Failure } from '../../packages/dashboard/src/api/failure.js';
import {
  blocksOf,
  REQUEST,
  requestFor,
  type CheckRequest,
} from '../../packages/dashboard/src/pages/documents/check/blocks.js';
import {
  Checker,
  PAUSE,
  UNASKED,
  type Issue,
  type PlacedIssue,
} from '../../packages/dashboard/src/pages/documents/check/checker.js';

describe('the blocks of a text', () => {
  it.each([
    ['paragraphs', 'a\nb\n\n\nc', ['a\nb', 'c']],
    [
      'fenced code with blank lines',
      'a\n\n```js\nx\n\ny\n```\n\nb',
      ['a', '```js\nx\n\ny\n```', 'b'],
    ],
    ['a fence that never ends', 'a\n\n~~~\nx\n\ny', ['a', '~~~\nx\n\ny']],
    ['a shorter fence within', '````\n```\n\n````\n\nb', ['````\n```\n\n````', 'b']],
    ['nothing', '\n \n', []],
  ])('the blocks of a text are separated by blank lines: %s', (_, text, blocks) => {
    expect(blocksOf(text).map((block) => block.text)).toEqual(blocks);
    for (const { from, to, text: own } of blocksOf(text)) expect(text.slice(from, to)).toBe(own);
  });

  it('the blocks of a text are requested with all of a short text as context', () => {
    const text = 'one\n\ntwo\n\nthree';
    const blocks = blocksOf(text);
    expect(requestFor(text, blocks, blocks.slice(1, 2))).toMatchObject({
      content: text,
      ranges: [{ start: 5, end: 8 }],
    });
  });

  it('the blocks of a text are requested with their neighbors if the text is long', () => {
    const text = Array.from({ length: 500 }, (_, index) => `${String(index)} ${'x'.repeat(300)}`);
    const whole = text.join('\n\n');
    const blocks = blocksOf(whole);
    const wanted = blocks.slice(250);
    const { content, ranges, blocks: sent } = requestFor(whole, blocks, wanted);
    expect(content.length).toBeLessThanOrEqual(REQUEST.content);
    expect(content.length).toBeGreaterThan(REQUEST.content - 1_000);
    expect(sent.length).toBeGreaterThan(10);
    const length = ranges.reduce((sum, { start, end }) => sum + end - start, 0);
    expect(length).toBeLessThanOrEqual(REQUEST.blocks);
    ranges.forEach(({ start, end }, index) => {
      expect(content.slice(start, end)).toBe(sent[index]?.text);
    });
    expect(sent[0]).toBe(wanted[0]);
  });
});

/** An editor and a service in which each `teh` is an issue. */
class Bench {
  readonly sent: CheckRequest[] = [];
  marked: readonly PlacedIssue[] = [];
  failure: Failure | undefined;
  isSlow = false;
  private release: (() => void) | undefined;
  text = '';
  readonly checker = new Checker({
    check: async (request, signal) => {
      this.sent.push(request);
      if (this.isSlow) await new Promise<void>((resolve) => (this.release = resolve));
      signal.throwIfAborted();
      if (this.failure) throw this.failure;
      return issuesIn(request);
    },
    // Marks of passages that did not move.
    marks: () =>
      this.marked.map(({ key, start, end, original }) => ({
        id: key,
        from: start,
        to: end,
        isOriginal: this.text.slice(start, end) === original,
      })),
    mark: (issues) => {
      this.marked = issues;
    },
    position: () => 0,
  });

  write(text: string) {
    this.text = text;
    this.checker.setText(text);
  }

  async finish() {
    this.release?.();
    await jest.advanceTimersByTimeAsync(0);
  }

  get found(): string[] {
    return this.checker.snapshot().issues.map(({ start, end }) => this.text.slice(start, end));
  }
}

function issuesIn({ content, ranges }: CheckRequest): Issue[] {
  return [...content.matchAll(/teh|wierd/g)]
    .filter(({ index }) => ranges.some(({ start, end }) => start <= index && index < end))
    .map(({ 0: original, index }) => ({
      id: `iss_${original}`,
      ruleId: 'spelling.unknown-word',
      category: 'spelling',
      severity: 'error',
      message: '',
      explanation: '',
      start: index,
      end: index + original.length,
      unit: 'utf16',
      line: 1,
      column: 1,
      original,
      replacements: [],
      source: 'rule',
      safe: false,
      status: 'open',
    }));
}

describe('checks while somebody writes', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('checks while somebody writes wait for a pause, and contain only the blocks that changed', async () => {
    const bench = new Bench();
    bench.write('One teh.\n\nTwo.');
    await jest.advanceTimersByTimeAsync(0);
    expect(bench.found).toEqual(['teh']);
    for (const text of ['One teh.\n\nTwo. w', 'One teh.\n\nTwo. wierd']) {
      bench.write(text);
      await jest.advanceTimersByTimeAsync(PAUSE - 1);
    }
    expect(bench.sent).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(bench.sent).toHaveLength(2);
    expect(bench.sent[1]?.blocks.map(({ text }) => text)).toEqual(['Two. wierd']);
    expect(bench.found).toEqual(['teh', 'wierd']);
    // A known block, moved and with a twin, is free.
    bench.write('Two. wierd\n\nOne teh.\n\nTwo. wierd');
    await jest.advanceTimersByTimeAsync(PAUSE);
    expect(bench.sent).toHaveLength(2);
    expect(bench.found).toEqual(['wierd', 'teh', 'wierd']);
    expect(new Set(bench.marked.map(({ key }) => key)).size).toBe(3);
  });

  it('checks while somebody writes are canceled if their blocks are gone, and have one request at a time', async () => {
    const bench = new Bench();
    bench.isSlow = true;
    bench.write('teh one');
    bench.write('teh one two');
    await jest.advanceTimersByTimeAsync(PAUSE);
    expect(bench.sent).toHaveLength(2);
    await bench.finish();
    expect(bench.checker.snapshot()).toMatchObject({ isChecking: false });
    expect(bench.found).toEqual(['teh']);
    bench.write('teh one two\n\nmore');
    await jest.advanceTimersByTimeAsync(PAUSE);
    bench.write('teh one two\n\nmore\n\nand wierd');
    await jest.advanceTimersByTimeAsync(PAUSE);
    // The block of the request in flight is still there.
    expect(bench.sent).toHaveLength(3);
    await bench.finish();
    expect(bench.sent).toHaveLength(4);
  });

  it('checks while somebody writes wait for a pause also after a slow response', async () => {
    const bench = new Bench();
    bench.isSlow = true;
    bench.write('teh one');
    for (const text of ['teh one ', 'teh one t', 'teh one tw']) {
      bench.write(text);
      await jest.advanceTimersByTimeAsync(PAUSE / 4);
    }
    await bench.finish();
    bench.write('teh one two');
    await jest.advanceTimersByTimeAsync(PAUSE - 1);
    expect(bench.sent).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(bench.sent).toHaveLength(2);
  });

  it('checks while somebody writes keep the issues of a block until its next result', async () => {
    const bench = new Bench();
    bench.write('teh one');
    await jest.advanceTimersByTimeAsync(0);
    bench.isSlow = true;
    bench.write('teh one two');
    await jest.advanceTimersByTimeAsync(PAUSE);
    bench.checker.filter(() => true);
    expect(bench.found).toEqual(['teh']);
    bench.checker.filter(({ original }) => original !== 'teh');
    expect(bench.found).toEqual([]);
    expect(bench.marked).toEqual([]);
  });

  it.each([
    ['an outage', new Failure('', 0), 'paused', 5_000],
    ['429 with Retry-After', new Failure('', 429, { retryAfter: 30 }), 'paused', 30_000],
    ['503', new Failure('', 503), 'paused', 5_000],
    [
      'a used up quota',
      new Failure('', 403, { details: { quota: 'checkCharactersPerDay' } }),
      'tomorrow',
      3_600_000,
    ],
  ])(
    'checks while somebody writes pause after %s, and continue',
    async (_, failure, word, delay) => {
      const bench = new Bench();
      bench.failure = failure;
      bench.write('teh one');
      await jest.advanceTimersByTimeAsync(0);
      expect(bench.checker.snapshot().problem).toContain(word);
      // Typing does not send requests earlier.
      bench.write('teh one two');
      await jest.advanceTimersByTimeAsync(delay - 1);
      expect(bench.sent).toHaveLength(1);
      bench.failure = undefined;
      await jest.advanceTimersByTimeAsync(1);
      expect(bench.checker.snapshot().problem).toBeUndefined();
      expect(bench.found).toEqual(['teh']);
    },
  );

  it('checks while somebody writes pause longer after each failure, and continue when the browser is online', async () => {
    const bench = new Bench();
    bench.failure = new Failure('', 0);
    bench.write('teh one');
    await jest.advanceTimersByTimeAsync(5_000 + 10_000 + 20_000);
    expect(bench.sent).toHaveLength(4);
    bench.failure = undefined;
    bench.checker.resume();
    await jest.advanceTimersByTimeAsync(0);
    expect(bench.found).toEqual(['teh']);
  });

  it('checks while somebody writes start with the part of a long text that is on the screen', async () => {
    const bench = new Bench();
    const lines = Array.from(
      { length: 1_000 },
      (_, index) => `${String(index)} ${'x'.repeat(98)} teh`,
    );
    bench.write(lines.join('\n\n'));
    await jest.advanceTimersByTimeAsync(0);
    const sum = () =>
      bench.sent.flatMap(({ blocks }) => blocks).reduce((all, { text }) => all + text.length, 0);
    expect(sum()).toBeLessThanOrEqual(UNASKED);
    expect(bench.sent.length).toBeLessThanOrEqual(5);
    expect(bench.checker.snapshot().unchecked).toBeGreaterThan(80_000);
    bench.write([...lines.slice(0, 999), 'wierd'].join('\n\n'));
    await jest.advanceTimersByTimeAsync(PAUSE);
    expect(bench.found.at(-1)).toBe('wierd');
    bench.checker.checkAll();
    await jest.advanceTimersByTimeAsync(0);
    expect(bench.found).toHaveLength(1_000);
    expect(bench.checker.snapshot().unchecked).toBe(0);
  });

  it('checks while somebody writes forget blocks when a rule or the dictionary changes', async () => {
    const bench = new Bench();
    bench.write('teh one\n\ntwo');
    await jest.advanceTimersByTimeAsync(0);
    bench.checker.forget((block) => block.includes('teh'));
    await jest.advanceTimersByTimeAsync(0);
    expect(bench.sent[1]?.blocks.map(({ text }) => text)).toEqual(['teh one']);
    expect(bench.checker.requestOf({ start: 0, end: 3 })).toMatchObject({
      content: 'teh one\n\ntwo',
      ranges: [{ start: 0, end: 7 }],
    });
  });

  it('checks while somebody writes begin again if the dictionary changes while one is in flight', async () => {
    const bench = new Bench();
    bench.isSlow = true;
    bench.write('teh one');
    await jest.advanceTimersByTimeAsync(0);
    bench.isSlow = false;
    bench.checker.forget((block) => block.includes('two'));
    expect(bench.sent).toHaveLength(1);
    bench.checker.forget((block) => block.includes('teh'));
    await jest.advanceTimersByTimeAsync(0);
    expect(bench.sent).toHaveLength(2);
    expect(bench.found).toEqual(['teh']);
    await bench.finish();
    expect(bench.found).toEqual(['teh']);
  });
});
