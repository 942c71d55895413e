import { readMarkdown } from '../../packages/conversion/src/markdown/markdown-reader.js';
import {
  diffBlocks,
  fold,
  type BlockChange,
  type InlineChange,
} from '../../packages/dashboard/src/pages/documents/history/rich-diff.js';

const compare = (before: string, after: string) =>
  diffBlocks(readMarkdown(before).blocks, readMarkdown(after).blocks);

/** Returns "The [-old-][+new+] text", with the formatting of each part. */
function written(inlines: readonly InlineChange[]): string {
  return inlines
    .map(({ change, inline }) => {
      const text = inline.kind === 'text' ? inline.text : inline.kind;
      const marks = inline.kind === 'text' ? Object.keys(inline.marks).join() : '';
      const shown = marks === '' ? text : `<${marks}>${text}</${marks}>`;
      return { same: shown, added: `[+${shown}+]`, removed: `[-${shown}-]` }[change];
    })
    .join('');
}

function textOf(change: BlockChange | undefined): string {
  if (change?.change !== 'inside') return change?.change ?? '';
  const { block } = change;
  return 'inlines' in block ? written(block.inlines) : block.kind;
}

describe('The comparison of two versions', () => {
  it('The comparison of two versions marks the words that changed, not the Markdown around them', () => {
    const [paragraph] = compare(
      'Revenue grew by **12** percent.',
      'Revenue fell by **13** percent.',
    );
    expect(textOf(paragraph)).toBe(
      'Revenue [-grew-][+fell+] by [-<bold>12</bold>-][+<bold>13</bold>+] percent.',
    );
  });

  it('The comparison of two versions marks words whose formatting changed', () => {
    const [paragraph] = compare('A plain word here.', 'A *plain* word here.');
    expect(textOf(paragraph)).toBe('A [-plain-][+<italic>plain</italic>+] word here.');
  });

  it('The comparison of two versions joins the words of a rewritten phrase', () => {
    const [paragraph] = compare(
      'We will meet on Monday, early, in the old office.',
      'We will meet on Friday, late, in the old office.',
    );
    expect(textOf(paragraph)).toBe(
      'We will meet on [-Monday, early-][+Friday, late+], in the old office.',
    );
  });

  it('The comparison of two versions shows added and removed blocks as a whole, in reading order', () => {
    const changes = compare(
      '# Plan\n\nFirst.\n\nThird paragraph about cranes.',
      '# Plan\n\nFirst.\n\nAn insertion.\n\n```js\nrun();\n```',
    );
    expect(changes.map(({ change }) => change)).toEqual([
      ...['same', 'same'],
      ...['removed', 'added', 'added'],
    ]);
  });

  it('The comparison of two versions looks inside lists, quotes, tables and code', () => {
    const [list] = compare('- one apple\n- two pears', '- one apple\n- two plums\n- three figs');
    expect(list).toMatchObject({
      change: 'inside',
      block: {
        kind: 'list',
        items: [{ change: 'same' }, { change: 'inside' }, { change: 'added' }],
      },
    });
    const [tasks] = compare('- [ ] Choose a contractor', '- [x] Choose a contractor');
    expect(tasks).toMatchObject({
      block: { items: [{ change: 'inside', checked: { before: false, after: true } }] },
    });
    const [quote] = compare('> Extend quay 7 before winter', '> Extend quay 7 before spring');
    expect(quote).toMatchObject({ block: { kind: 'quote', blocks: [{ change: 'inside' }] } });
    const table = (calls: string) =>
      `| Port | Calls |\n|---|---|\n| Oslo | 412 |\n| Bergen | ${calls} |`;
    const [rows] = compare(table('268'), table('271'));
    expect(rows).toMatchObject({
      block: {
        kind: 'table',
        rows: [{ change: 'same' }, { change: 'same' }, { change: 'inside' }],
      },
    });
    const [code] = compare('```\na\nb\n```', '```\na\nc\n```');
    const lines = [
      { change: 'same', text: 'a' },
      { change: 'removed', text: 'b' },
      { change: 'added', text: 'c' },
    ];
    expect(code).toMatchObject({ block: { kind: 'code', lines } });
  });

  it('The comparison of two versions is the same for equal texts, and only additions to an empty one', () => {
    const text = '# Title\n\nText with [a link](https://example.com).\n\n1. One\n2. Two';
    expect(compare(text, text).every(({ change }) => change === 'same')).toBe(true);
    expect(compare('', text).every(({ change }) => change === 'added')).toBe(true);
    expect(compare(text, '').every(({ change }) => change === 'removed')).toBe(true);
  });

  it('The comparison of two versions shows two texts without anything in common one after the other', () => {
    const text = (letters: string) =>
      Array.from({ length: 3_000 }, (_, index) => letters.repeat(index + 1)).join('\n\n');
    const changes = compare(text('a').slice(0, 200_000), text('b').slice(0, 200_000));
    expect(changes.length).toBeGreaterThan(1_000);
    expect(new Set(changes.map(({ change }) => change))).toEqual(new Set(['removed', 'added']));
  });

  it('The comparison of two versions folds long unchanged parts, but not next to a change', () => {
    const paragraphs = Array.from({ length: 20 }, (_, index) => `Paragraph ${String(index)}.`);
    const changed = paragraphs.with(10, 'Paragraph 10, changed.');
    const sections = fold(compare(paragraphs.join('\n\n'), changed.join('\n\n')));
    expect(sections.map(({ isFolded, blocks }) => [isFolded, blocks.length])).toEqual([
      [true, 8],
      [false, 5],
      [true, 7],
    ]);
    const [few] = fold(compare('A.\n\nB.', 'A.\n\nB.'));
    expect(few?.isFolded).toBe(false);
  });
});
