import { applyEdits } from '@document-service/text-merge/text-edits';
import fc from 'fast-check';
import { Fragment, type Node } from 'prosemirror-model';
import { EditorState, type Transaction } from 'prosemirror-state';
import {
  bare,
  looksSame,
} from '../../packages/dashboard/src/pages/documents/editor/surface/bare.js';
import { schema } from '../../packages/dashboard/src/pages/documents/editor/surface/schema.js';
import { editsBetween } from '../../packages/dashboard/src/pages/documents/editor/surface/layout.js';
import {
  readSlice,
  Sources,
  writeSlice,
} from '../../packages/dashboard/src/pages/documents/editor/surface/sources.js';
import { propertyRuns } from '../support/property-runs.js';

const { nodes, marks } = schema;

/** Text that means something in Markdown, or nearly does. */
const words = fc.constantFrom(
  ...[
    'word',
    'ab',
    'x',
    '1',
    'é',
    '漢字',
    '😀',
    ' ',
    '  ',
    '\u00a0',
    '*',
    '**',
    '_',
    '__',
    '`',
    '``',
  ],
  ...[
    '~',
    '~~',
    '[',
    ']',
    '(',
    ')',
    '![',
    '](',
    '<',
    '>',
    '<b>',
    '</b>',
    '&',
    '&amp;',
    '&#38;',
    '#',
  ],
  ...['# ', '- ', '+ ', '1. ', '1) ', '> ', '---', '===', '|', '\\', '\\|', ':-:', '[x] ', '[^1]'],
  ...['https://a.example/b', 'www.a.example', 'a@b.example', '\t', '!', '"', "'", '.', ':', '~~~'],
);
const text = fc.array(words, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));
const address = fc.constantFrom(
  ...[
    'https://a.example',
    '/b c',
    'x(y',
    '(y)',
    '',
    '#a',
    'mailto:a@b.example',
    'a\\b',
    'a&amp;b',
    'a|b',
    '<x>',
  ],
);
const title = fc.constantFrom(null, 't', 'a "b"', '\\', 'a|b', '&lt;');

const mark = fc.oneof(
  { weight: 3, arbitrary: fc.constant(marks['strong'].create()) },
  { weight: 3, arbitrary: fc.constant(marks['em'].create()) },
  { weight: 2, arbitrary: fc.constant(marks['strike'].create()) },
  { weight: 2, arbitrary: fc.constant(marks['code'].create()) },
  fc.record({ href: address, title }).map((attrs) => marks['link'].create(attrs)),
);
const markSet = fc
  .array(mark, { maxLength: 2 })
  .map((set) => set.reduce<readonly Node['marks'][number][]>((all, one) => one.addToSet(all), []));

const textNode = fc.tuple(text, markSet).map(([value, set]) => schema.text(value, set));
const image = fc.tuple(fc.record({ src: address, alt: text, title }), markSet).map(([attrs, set]) =>
  nodes['image'].create(
    attrs,
    null,
    set.filter(({ type }) => type !== marks['code']),
  ),
);
const lineBreak = fc.constant(nodes['hard_break'].create());
const inline = fc.array(fc.oneof({ weight: 8, arbitrary: textNode }, image, lineBreak), {
  maxLength: 4,
});
const lineInline = fc.array(fc.oneof({ weight: 8, arbitrary: textNode }, image), { maxLength: 4 });
const fragment = (children: readonly Node[]) => Fragment.fromArray([...children]);

const paragraph = inline.map((content) =>
  nodes['paragraph'].create(null, fragment(joined(content))),
);
const heading = fc
  .tuple(fc.integer({ min: 1, max: 6 }), fc.constantFrom('', '---', '====='), lineInline)
  .map(([level, underline, content]) =>
    nodes['heading'].create({ level, underline }, fragment(joined(content))),
  );
const code = fc
  .tuple(
    fc.constantFrom('', 'js', 'a`b'),
    fc.constantFrom('', '```', '~~~~'),
    fc.array(fc.constantFrom('x', '', '```', '~~~', '    y', '\tz', '- a', '````'), {
      maxLength: 4,
    }),
  )
  .map(([info, fence, lines]) => {
    const content = lines.join('\n');
    return nodes['code_block'].create(
      { info, fence },
      content === '' ? null : schema.text(content),
    );
  });
const rule = fc.constant(nodes['horizontal_rule'].create());
const table = fc
  .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 0, max: 2 }))
  .chain(([columns, rows]) =>
    fc
      .tuple(
        fc.array(fc.constantFrom(null, 'left', 'center', 'right'), {
          minLength: columns,
          maxLength: columns,
        }),
        fc.array(inline, { minLength: columns * (rows + 1), maxLength: columns * (rows + 1) }),
      )
      .map(([aligns, cells]) =>
        nodes['table'].create(
          null,
          Array.from({ length: rows + 1 }, (_, row) =>
            nodes['table_row'].create(
              null,
              aligns.map((align, column) =>
                (row === 0 ? nodes['table_header'] : nodes['table_cell']).create(
                  { align },
                  nodes['paragraph'].create(
                    null,
                    fragment(cellContent(cells[row * columns + column] ?? [])),
                  ),
                ),
              ),
            ),
          ),
        ),
      ),
  );
const raw = fc
  .constantFrom('<div>\nx\n</div>', '<!-- a\n\nb -->', '[a]: /b "c"')
  .map((value) =>
    nodes['raw_block'].create(
      { kind: value.startsWith('[') ? 'reference' : 'html' },
      schema.text(value),
    ),
  );

const { block } = fc.letrec<{ block: Node; blocks: Node[]; item: Node }>((tie) => ({
  blocks: fc.array(tie('block'), { minLength: 1, maxLength: 3, depthIdentifier: 'blocks' }),
  item: fc
    .tuple(fc.constantFrom(null, null, true, false), paragraph, tie('blocks'), fc.boolean())
    .map(([checked, first, rest, isShort]) =>
      nodes['list_item'].create(
        { checked },
        checked === null && !isShort ? rest : [first, ...(isShort ? [] : rest)],
      ),
    ),
  block: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'blocks' },
    { weight: 4, arbitrary: paragraph },
    heading,
    code,
    rule,
    table,
    raw,
    tie('blocks').map((children) => nodes['blockquote'].create(null, children.map(withoutHtml))),
    fc
      .tuple(
        fc.constantFrom('-', '*', '+'),
        fc.boolean(),
        fc.array(tie('item'), { minLength: 1, maxLength: 3 }),
      )
      .map(([sign, tight, items]) => nodes['bullet_list'].create({ mark: sign, tight }, items)),
    fc
      .tuple(
        fc.integer({ min: 0, max: 12 }),
        fc.boolean(),
        fc.array(tie('item'), { minLength: 1, maxLength: 3 }),
      )
      .map(([order, tight, items]) => nodes['ordered_list'].create({ order, tight }, items)),
  ),
}));

/** Lezer does not end HTML at a blank line of a quote. */
function withoutHtml(node: Node): Node {
  if (node.type === nodes['raw_block']) return nodes['horizontal_rule'].create();
  return node.isTextblock
    ? node
    : node.copy(fragment(node.content.content.map((child) => withoutHtml(child))));
}

/** The table parser of Lezer does not know that a backslash in code stays beside an escaped pipe. */
function cellContent(content: readonly Node[]): Node[] {
  return joined(
    content.map((node) =>
      node.isText && marks['code'].isInSet(node.marks)
        ? schema.text((node.text ?? '').replaceAll('\\', '/'), node.marks)
        : node,
    ),
  );
}

function joined(content: readonly Node[]): Node[] {
  const result: Node[] = [];
  for (const node of content) {
    const last = result.at(-1);
    if (last?.isText && node.isText && last.sameMarkup(node)) {
      result[result.length - 1] = schema.text((last.text ?? '') + (node.text ?? ''), node.marks);
    } else {
      result.push(node);
    }
  }
  return result;
}

describe('a document that was made in the editor', () => {
  it('a document of any nodes and marks reads back as it looks', () => {
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 4 }), (children) => {
        const doc = nodes['doc'].create(null, children);
        const read = new Sources().read(new Sources().write(doc));
        expect(bare(read).node.toString()).toBe(bare(doc).node.toString());
        expect(looksSame(bare(read).node, bare(doc).node)).toBe(true);
      }),
      { numRuns: propertyRuns(3_000) },
    );
  });

  it.each([
    ['2 * 3 * 4 and a_b_c', '2 * 3 * 4 and a_b_c'],
    ['*not emphasis*', '\\*not emphasis\\*'],
    ['# not a heading', '\\# not a heading'],
    ['1. not a list', '1\\. not a list'],
    ['[x](y)', '\\[x\\](y)'],
    ['<b>', '\\<b>'],
    ['&amp;', '\\&amp;'],
    ['www.example.com', 'www.example.com'],
    ['now!', 'now!'],
  ])('the typed text %s is written as %s', (typed, markdown) => {
    const doc = nodes['doc'].create(null, nodes['paragraph'].create(null, schema.text(typed)));
    expect(new Sources().write(doc)).toBe(markdown);
  });

  it('spaces at the edges of a mark leave it', () => {
    const content = [
      schema.text('a'),
      schema.text(' b ', [marks['strong'].create()]),
      schema.text('c'),
    ];
    const doc = nodes['doc'].create(null, nodes['paragraph'].create(null, content));
    expect(new Sources().write(doc)).toBe('a **b** c');
  });
});

describe('an edit in a document', () => {
  const edit = (markdown: string, change: (state: EditorState) => Transaction) => {
    const sources = new Sources();
    const state = EditorState.create({ doc: sources.read(markdown) });
    return sources.write(change(state).doc);
  };
  const insert = (markdown: string, word: string, text: string) =>
    edit(markdown, (state) => state.tr.insertText(text, positionOf(state.doc, word)));

  it.each([
    ['a hard-wrapped paragraph', 'one\ntwo __three__\nfour\n'],
    ['a list with its own indentation', '*   one\n\n    three\n*   two\n'],
    ['a table with aligned columns', '| a     | b   |\n|:------|-----|\n| three | `x` |\n'],
    ['a quote without spaces', '>one\n>three\nlazy\n'],
    ['a heading with closing signs', '## three ##\n'],
    ['a link with a reference', '[three][a]\n\n[a]: /b\n'],
    ['code in a list', '- a\n\n      three\n'],
    ['a paragraph with escapes', '\\*one\\* &amp; three\n'],
    ['a paragraph beside a heading', '# one\nthree\n# four\n'],
    ['a footnote', 'one[^1] three\n\n[^1]: Note\n'],
  ])('letters typed into %s change nothing else', (_, markdown) => {
    const typed = edit(markdown, (state) =>
      state.tr.insertText('xy', positionOf(state.doc, 'three') + 2),
    );
    expect(typed).toBe(markdown.replace('three', 'thxyree'));
  });

  it.each([
    ['one *more*', 'one *more*!'],
    ['one *more* time', 'one *more*! time'],
    ['one *more*[link](/x)', 'one *more*\\![link](/x)'],
  ])(
    'an exclamation mark typed behind emphasis in %s is escaped only before a link',
    (markdown, typed) => {
      const end = (state: EditorState) => positionOf(state.doc, 'more') + 'more'.length;
      expect(edit(markdown, (state) => state.tr.insert(end(state), schema.text('!')))).toBe(typed);
    },
  );

  it('a word typed at the start of a line of a quote follows its marker', () => {
    expect(insert('>one\n>three\nlazy\n', 'three', 'new ')).toBe('>one\n>new three\nlazy\n');
  });

  it('a pipe typed into a cell is escaped', () => {
    expect(insert('| a |\n|---|\n| b |\n', 'b', 'x | ')).toBe('| a |\n|---|\n| x \\| b |\n');
  });

  it('a paragraph inserted between two lists keeps them apart, and so does its removal', () => {
    const lists = '- a\n\n* b\n';
    expect(
      edit(lists, (state) => state.tr.insert(state.doc.firstChild?.nodeSize ?? 0, para('c'))),
    ).toBe('- a\n\nc\n\n* b\n');
    const three = '- a\n\nc\n\n- b\n';
    expect(
      edit(three, (state) => {
        const from = state.doc.firstChild?.nodeSize ?? 0;
        return state.tr.delete(from, from + 3);
      }),
    ).toBe('- a\n\n* b\n');
  });

  it('a paragraph after code that nothing closes is not code', () => {
    expect(edit('```\na\n', (state) => state.tr.insert(state.doc.content.size, para('b')))).toBe(
      '```\na\n```\n\nb',
    );
  });

  it('empty paragraphs have no Markdown', () => {
    expect(edit('a\n\nb\n', (state) => state.tr.insert(3, para('')))).toBe('a\n\nb\n');
  });

  it('a text without words gets the first one', () => {
    expect(edit('', (state) => state.tr.insertText('a', 1))).toBe('a');
    expect(edit('\n\n', (state) => state.tr.delete(0, 2))).toBe('\n\n');
  });
});

describe('the edits between two states of a document', () => {
  /** Changes a document, and returns what `editsBetween` finds. */
  const changed = (markdown: string, change: (state: EditorState) => Transaction) => {
    const sources = new Sources();
    const state = EditorState.create({ doc: sources.read(markdown) });
    const before = sources.layoutOf(state.doc);
    const after = sources.layoutOf(change(state).doc);
    return { edits: editsBetween(before, after), before: before.text, after: after.text };
  };

  it('the edit for a new paragraph starts at the end of the one before it', () => {
    const { edits } = changed('a\n\nb\n\nc\n', (state) => state.tr.insert(3, para('n')));
    expect(edits).toEqual([{ from: 1, to: 1, insert: '\n\nn' }]);
  });

  it('the edit for a removed paragraph leaves the blank line after it', () => {
    const { edits } = changed('a\n\nb\n\nc\n', (state) => state.tr.delete(3, 6));
    expect(edits).toEqual([{ from: 1, to: 4, insert: '' }]);
  });

  it('the edits lead from one text to the other, whatever the blocks', () => {
    fc.assert(
      fc.property(
        fc.array(block, { minLength: 1, maxLength: 4 }),
        fc.array(block, { maxLength: 2 }),
        fc.nat(3),
        fc.nat(2),
        (children, inserted, at, removed) => {
          const markdown = new Sources().write(nodes['doc'].create(null, children));
          const { edits, before, after } = changed(markdown, ({ tr, doc }) => {
            const starts = [0];
            for (const { nodeSize } of doc.children) starts.push((starts.at(-1) ?? 0) + nodeSize);
            const from = Math.min(at, doc.childCount);
            const to = Math.min(from + removed, doc.childCount);
            const added = to - from === doc.childCount ? [...inserted, para('z')] : inserted;
            return tr.replaceWith(starts[from] ?? 0, starts[to] ?? 0, added);
          });
          if (edits) expect(applyEdits(before, edits)).toBe(after);
        },
      ),
      { numRuns: propertyRuns(500) },
    );
  });
});

describe('offsets and positions', () => {
  const markdown =
    'A \\* **bold** [link](/address)\n\n> - `code`\n\n| a | b |\n|---|---|\n| c |   |\n';
  const sources = new Sources();
  const doc = sources.read(markdown);

  it.each(['A', 'bold', 'link', 'code', 'b', 'c'])('the word %s is at its offset', (word) => {
    const offset = markdown.search(new RegExp(`\\b${word}\\b`));
    const position = positionOf(doc, word);
    expect(sources.positionAt(doc, offset, 1)).toBe(position);
    expect(sources.offsetAt(doc, position, 1)).toBe(offset);
  });

  it('markup and addresses have no position, but their block has a range', () => {
    const offset = markdown.indexOf('address');
    expect(sources.positionAt(doc, offset, 1)).toBeUndefined();
    expect(sources.blockAt(doc, offset)).toEqual({ from: 0, to: doc.firstChild?.nodeSize });
  });

  it('an offset beside a marker is at the text on both sides', () => {
    const end = positionOf(doc, 'bold') + 4;
    expect(sources.offsetAt(doc, end, -1)).toBe(markdown.indexOf('** ['));
    expect(sources.offsetAt(doc, end, 1)).toBe(markdown.indexOf(' ['));
  });

  it('every position has an offset within its block', () => {
    const { from, to } = sources.layoutOf(doc);
    for (let position = 0; position <= doc.content.size; position += 1) {
      const index = Math.min(doc.resolve(position).index(0), doc.childCount - 1);
      const offset = sources.offsetAt(doc, position, 1);
      expect(offset).toBeGreaterThanOrEqual(from[index] ?? 0);
      expect(offset).toBeLessThanOrEqual(to[index] ?? 0);
    }
  });

  it('a space that is not in the Markdown keeps the offsets of later text', () => {
    const own = new Sources();
    const state = EditorState.create({ doc: own.read('> one\n>\n> two\n') });
    const { doc: typed } = state.tr.insertText('  ', positionOf(state.doc, 'one') + 3);
    expect(own.write(typed)).toBe('> one\n>\n> two\n');
    expect(own.positionAt(typed, 10, 1)).toBe(positionOf(typed, 'two'));
    expect(own.offsetAt(typed, positionOf(typed, 'two'), 1)).toBe(10);
  });
});

describe('Markdown of the clipboard', () => {
  const sliceOf = (markdown: string, from: string, to: string) => {
    const doc = new Sources().read(markdown);
    return doc.slice(positionOf(doc, from), positionOf(doc, to) + to.length, true);
  };

  it.each([
    ['words of a heading', '# one two\n', 'one', 'two', 'one two'],
    ['marked words', 'a **one** [two](/x)\n', 'one', 'two', '**one** [two](/x)'],
    ['code', '```\none\n  two\n```\n', 'one', 'two', 'one\n  two'],
    ['items', '- x\n- one\n- two\n', 'one', 'two', '- one\n- two'],
    ['a heading and text', '# one\n\ntwo\n', 'one', 'two', '# one\n\ntwo'],
  ])('copying %s gives their Markdown', (_, markdown, from, to, copied) => {
    expect(writeSlice(sliceOf(markdown, from, to))).toBe(copied);
  });

  it('a paragraph is inserted into the text around it, and other blocks as they are', () => {
    const inline = readSlice('a **b**');
    expect(inline.content.toString()).toBe('<paragraph("a ", strong("b"))>');
    expect([inline.openStart, inline.openEnd]).toEqual([1, 1]);
    const blocks = readSlice('a\n\n# b');
    expect(blocks.content.toString()).toBe('<paragraph("a"), heading("b")>');
    expect([blocks.openStart, blocks.openEnd]).toEqual([1, 0]);
  });

  it('links use the definitions of the document', () => {
    const sources = new Sources();
    sources.read('[a]: /b\n');
    const link = readSlice('[a]', sources).content.firstChild?.firstChild;
    expect(link?.marks[0]?.attrs['href']).toBe('/b');
    expect(readSlice('[a]').content.firstChild?.firstChild?.marks).toEqual([]);
  });
});

function para(text: string): Node {
  return nodes['paragraph'].create(null, text === '' ? null : schema.text(text));
}

function positionOf(doc: Node, word: string): number {
  let found = -1;
  doc.descendants((node, position) => {
    const at = node.text?.search(new RegExp(`\\b${word}\\b`)) ?? -1;
    if (at !== -1 && found === -1) found = position + at;
  });
  if (found === -1) throw new Error(`No ${word} in ${doc.toString()}`);
  return found;
}
