import { highlightParts } from '../../packages/dashboard/src/pages/documents/highlight-parts.js';
import { locate } from '../../packages/dashboard/src/pages/documents/analysis/locate.js';
import {
  editorPosition,
  lineBreakOf,
} from '../../packages/dashboard/src/pages/documents/editor/line-breaks.js';
import {
  markdownTree,
  safeAddress,
} from '../../packages/dashboard/src/pages/documents/editor/markdown-tree.js';
import {
  metadataChanges,
  metadataRows,
} from '../../packages/dashboard/src/pages/documents/metadata-form.js';

describe('the tree of a Markdown text', () => {
  const inline = (text: string) => {
    const [block] = markdownTree(text);
    return block?.kind === 'paragraph' ? block.children : [];
  };

  it('has headings, lists with tasks, code, quotes and tables', () => {
    const text = [
      '# Title\n\n- [x] done\n- [ ] to do\n\n3. three\n\n```js\nrun();\n```\n\n> said\n',
      '| a | b |\n| - | - |\n|   | ~~2~~ |\n',
    ].join('\n');
    expect(markdownTree(text)).toMatchObject([
      { kind: 'heading', level: 1, children: [{ text: 'Title' }] },
      { kind: 'list', start: undefined, items: [{ done: true }, { done: false }] },
      { kind: 'list', start: 3, items: [{ done: undefined }] },
      { kind: 'code', text: 'run();' },
      { kind: 'quote', blocks: [{ kind: 'paragraph' }] },
      { kind: 'table', rows: [[[], [{ kind: 'strike' }]]] },
    ]);
  });

  it('treats HTML as text', () => {
    expect(
      inline('a <b onclick=x>b</b>')
        .map((one) => ('text' in one ? one.text : one.kind))
        .join(''),
    ).toBe('a <b onclick=x>b</b>');
    expect(markdownTree('<script>\nalert(1)\n</script>')).toEqual([
      { kind: 'html', text: '<script>\nalert(1)\n</script>' },
    ]);
  });

  it.each([
    ['[a](https://example.com/b "t")', 'https://example.com/b'],
    ['[a][ref]\n\n[ref]: https://example.com/c', 'https://example.com/c'],
    ['<https://example.com/d>', 'https://example.com/d'],
    ['www.example.com', 'http://www.example.com/'],
    ['![a](https://example.com/e.png)', 'https://example.com/e.png'],
  ])('links from %s to the web', (text, href) => {
    expect(inline(text)).toMatchObject([{ href }]);
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    '/v1/keys',
    '//evil.example',
    'file:///etc',
  ])('does not link from %s', (address) => {
    expect(safeAddress(address)).toBeUndefined();
    expect(inline(`[a](${address})`)).toMatchObject([{ kind: 'link', href: undefined }]);
  });

  it('shows brackets without a link as written', () => {
    expect(
      inline('[so] it is')
        .map((one) => ('text' in one ? one.text : '?'))
        .join(''),
    ).toBe('[so] it is');
  });

  it('stops at a depth that nobody reads', () => {
    expect(JSON.stringify(markdownTree(`${'> '.repeat(3_000)}deep`)).length).toBeLessThan(20_000);
  });
});

describe('a highlight of a search', () => {
  it('is text with marks, whatever markup it contains', () => {
    expect(highlightParts('a &lt;b&gt; <mark>c &amp; d</mark> <img src=x>')).toEqual([
      { text: 'a <b> ', marked: false },
      { text: 'c & d', marked: true },
      { text: ' <img src=x>', marked: false },
    ]);
  });
});

describe('a passage of a text', () => {
  const passage = { start: 10, end: 13, original: 'teh' };

  it('is found in place, and after it has moved', () => {
    expect(locate('0123456789teh end', passage)).toEqual({ from: 10, to: 13 });
    expect(locate('teh 0123456789 and teh end', passage)).toEqual({ from: 19, to: 22 });
  });

  it('is not found when it has changed', () => {
    expect(locate('0123456789the end', passage)).toBeUndefined();
  });
});

describe('line breaks of a text', () => {
  it('are preserved if they are all of one kind', () => {
    expect(lineBreakOf('a\r\nb\r\n')).toBe('\r\n');
    expect(lineBreakOf('a\r\nb\n')).toBe('\n');
    expect(lineBreakOf('a')).toBe('\n');
  });

  it('count once in the editor', () => {
    expect(editorPosition('a\r\nb\r\nc', 6)).toBe(4);
    expect(editorPosition('a\nb', 2)).toBe(2);
  });
});

describe('metadata as rows', () => {
  const metadata = { tags: ['a'], department: 'Sales', size: 12, deep: { x: [1], y: 2 } };

  it('shows values that are not text as JSON, and changes nothing on its own', () => {
    const rows = metadataRows(metadata);
    expect(rows).toEqual([
      { key: 'department', value: 'Sales' },
      { key: 'size', value: '12', isJson: true },
      { key: 'deep', value: '{"x":[1],"y":2}', isJson: true },
    ]);
    const nothing = { patch: undefined, problems: [] };
    expect(metadataChanges(metadata, rows, ['a'])).toEqual(nothing);
    const spaced = rows.map((row) => ({
      ...row,
      value: row.value.replace('{"x":[1],', '{ "x": [1], '),
    }));
    expect(metadataChanges(metadata, spaced, ['a'])).toEqual(nothing);
  });

  it('creates a merge patch of additions, changes and removals', () => {
    const rows = [
      { key: 'department', value: '12' },
      { key: 'size', value: '13', isJson: true as const },
      { key: 'deep', value: '{"x":[]}', isJson: true as const },
      { key: ' region ', value: 'eu' },
    ];
    expect(metadataChanges({ ...metadata, old: 'x' }, rows, []).patch).toEqual({
      department: '12',
      size: 13,
      deep: { x: [], y: null },
      region: 'eu',
      old: null,
      tags: null,
    });
  });

  it('reports what cannot be saved, and leaves that value unchanged', () => {
    const rows = [
      { key: 'deep', value: '{"x":', isJson: true as const },
      { key: '', value: 'nameless' },
      { key: 'size', value: '12', isJson: true as const },
      { key: 'size', value: 'again' },
      { key: 'department', value: 'Support' },
    ];
    expect(metadataChanges(metadata, rows, ['a'])).toEqual({
      patch: { department: 'Support' },
      problems: [
        'The value of “deep” is not valid JSON. To store it as text, put it in double quotes.',
        'Enter a key for the value “nameless”.',
        'The key “size” is used twice. Rename one of them.',
      ],
    });
  });
});
