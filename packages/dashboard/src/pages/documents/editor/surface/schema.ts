import { Schema, type DOMOutputSpec, type NodeSpec } from 'prosemirror-model';

/** Alignment of a table column, as in the delimiter row. */
export type Alignment = 'left' | 'center' | 'right' | null;

/** The attributes of a cell. prosemirror-tables needs the spans, although Markdown has no merged cells. */
const cellAttributes = {
  colspan: { default: 1 },
  rowspan: { default: 1 },
  colwidth: { default: null },
  align: { default: null },
};

/** A cell without the style attributes of prosemirror-tables, which the policy forbids. */
const cell = (tableRole: 'cell' | 'header_cell', tag: 'td' | 'th'): NodeSpec => ({
  content: 'paragraph',
  attrs: cellAttributes,
  tableRole,
  isolating: true,
  toDOM: ({ attrs }): DOMOutputSpec => {
    const { align } = attrs as { align: Alignment };
    return [tag, align === null ? {} : { 'data-align': align }, 0];
  },
});

function validateLevel(level: unknown): void {
  if (![1, 2, 3, 4, 5, 6].includes(Number(level))) throw new RangeError('Not a heading level.');
}

/**
 * The nodes of a Markdown document. The attributes `mark`, `delimiter`, `tight`, `underline`, `fence` and `markup` are
 * style: they say how Markdown is written and a reader does not see them.
 */
export const schema = new Schema({
  nodes: {
    doc: { content: 'block+' },
    paragraph: { content: 'inline*', group: 'block', toDOM: () => ['p', { dir: 'auto' }, 0] },
    heading: {
      // `underline` is the line under the heading, or '' for a heading with `#`.
      attrs: {
        level: { default: 1, validate: validateLevel },
        underline: { default: '', validate: 'string' },
      },
      content: '(text|image)*',
      group: 'block',
      defining: true,
      toDOM: ({ attrs }) => [`h${String(attrs['level'])}`, { dir: 'auto' }, 0],
    },
    blockquote: {
      content: 'block+',
      group: 'block',
      defining: true,
      toDOM: () => ['blockquote', 0],
    },
    bullet_list: {
      attrs: {
        mark: { default: '-', validate: 'string' },
        tight: { default: true, validate: 'boolean' },
      },
      content: 'list_item+',
      group: 'block',
      toDOM: () => ['ul', 0],
    },
    ordered_list: {
      attrs: {
        order: { default: 1, validate: 'number' },
        delimiter: { default: '.', validate: 'string' },
        tight: { default: true, validate: 'boolean' },
      },
      content: 'list_item+',
      group: 'block',
      toDOM: ({ attrs }) => ['ol', { start: String(attrs['order']) }, 0],
    },
    list_item: {
      // `checked` is null for an item without a checkbox.
      attrs: { checked: { default: null, validate: 'boolean|null' } },
      content: 'block+',
      defining: true,
      toDOM: ({ attrs }) => {
        const { checked } = attrs as { checked: boolean | null };
        return ['li', checked === null ? {} : { 'data-checked': String(checked) }, 0];
      },
    },
    code_block: {
      // `fence` is '' for code that is indented by four spaces.
      attrs: {
        info: { default: '', validate: 'string' },
        fence: { default: '```', validate: 'string' },
      },
      content: 'text*',
      marks: '',
      group: 'block',
      code: true,
      defining: true,
      toDOM: () => ['pre', { dir: 'ltr' }, ['code', 0]],
    },
    // HTML, link references, and everything else that is edited as Markdown.
    raw_block: {
      attrs: { kind: { default: 'html', validate: 'string' } },
      content: 'text*',
      marks: '',
      group: 'block',
      code: true,
      defining: true,
      toDOM: ({ attrs }) => [
        'pre',
        { class: 'raw', 'data-kind': String(attrs['kind']) },
        ['code', 0],
      ],
    },
    horizontal_rule: {
      attrs: { markup: { default: '---', validate: 'string' } },
      group: 'block',
      toDOM: () => ['hr'],
    },
    table: {
      content: 'table_row+',
      tableRole: 'table',
      isolating: true,
      group: 'block',
      toDOM: () => ['table', ['tbody', 0]],
    },
    table_row: {
      content: '(table_cell | table_header)*',
      tableRole: 'row',
      toDOM: () => ['tr', 0],
    },
    table_cell: cell('cell', 'td'),
    table_header: cell('header_cell', 'th'),
    text: { group: 'inline' },
    image: {
      inline: true,
      attrs: {
        src: { validate: 'string' },
        alt: { default: '', validate: 'string' },
        title: { default: null, validate: 'string|null' },
      },
      group: 'inline',
      draggable: true,
      toDOM: ({ attrs }) => ['span', { class: 'image' }, String(attrs['alt'])],
    },
    hard_break: { inline: true, group: 'inline', selectable: false, toDOM: () => ['br'] },
  },
  marks: {
    link: {
      attrs: {
        href: { validate: 'string' },
        title: { default: null, validate: 'string|null' },
      },
      inclusive: false,
      toDOM: ({ attrs }) => ['a', { href: String(attrs['href']) }],
    },
    strong: { toDOM: () => ['strong'] },
    em: { toDOM: () => ['em'] },
    strike: { toDOM: () => ['del'] },
    code: { code: true, excludes: 'html', toDOM: () => ['code'] },
    // Inline HTML, which is edited as Markdown.
    html: { inclusive: false, excludes: 'code', toDOM: () => ['span', { class: 'html' }] },
  },
});
