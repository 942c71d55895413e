import { DOMSerializer, Fragment, Slice, type Node } from 'prosemirror-model';
import { closeHistory } from 'prosemirror-history';
import { Plugin } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { safeAddress } from '../addresses.js';
import { directionOf } from '../direction.js';
import { schema, type Alignment } from './schema.js';
import { writeSlice } from './sources.js';

const { nodes } = schema;

/** Data of a slice that only this editor reads. It keeps what HTML does not, such as the style of a list. */
const SLICE_TYPE = 'application/x-document-service-slice';

/** Copies the selection as HTML for other programs, and as Markdown. The words of one block are copied without Markdown. */
export function clipboardPlugin(): Plugin {
  return new Plugin({
    props: {
      // For dragged text.
      clipboardSerializer: htmlSerializer,
      clipboardTextSerializer: textOf,
      handleDOMEvents: {
        copy: copySelection,
        cut: (view, event) => {
          if (!view.editable || !copySelection(view, event)) return false;
          const tr = view.state.tr.deleteSelection().scrollIntoView().setMeta('uiEvent', 'cut');
          view.dispatch(closeHistory(tr));
          return true;
        },
      },
    },
  });
}

function copySelection(view: EditorView, event: ClipboardEvent): boolean {
  const { clipboardData: data } = event;
  const { selection } = view.state;
  if (!data || selection.empty) return false;
  const slice = withWholeTables(selection.content());
  event.preventDefault();
  data.clearData();
  data.setData('text/html', htmlOf(slice));
  data.setData('text/plain', textOf(slice));
  data.setData(SLICE_TYPE, JSON.stringify(slice));
  return true;
}

/** Returns what this editor copied, or undefined if the data comes from elsewhere. */
export function copiedSlice(data: DataTransfer): Slice | undefined {
  const json = data.getData(SLICE_TYPE);
  if (json === '') return undefined;
  try {
    const slice = Slice.fromJSON(schema, JSON.parse(json) as unknown);
    slice.content.forEach((node) => {
      node.check();
    });
    return slice.size > 0 ? slice : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns a slice in which every table is complete, because a part of one fits nowhere else. Parts of one cell are
 * returned without the table.
 */
export function withWholeTables(slice: Slice): Slice {
  const { content, openStart, openEnd } = slice;
  if (content.firstChild?.type === nodes.table_row) return new Slice(tableOf(content), 0, 0);
  let inner = content;
  for (let depth = 0; depth < Math.min(openStart, openEnd); depth += 1) {
    const [only, other] = inner.content;
    if (!only || other) break;
    inner = only.content;
    if (isCell(only)) return new Slice(inner, openStart - depth - 1, openEnd - depth - 1);
  }
  return closed(closed(slice, 'first'), 'last');
}

/** Completes the table that a slice starts or ends in. */
function closed(slice: Slice, edge: 'first' | 'last'): Slice {
  const { content, openStart, openEnd } = slice;
  const open = edge === 'first' ? openStart : openEnd;
  const index = edge === 'first' ? 0 : content.childCount - 1;
  const node = content.maybeChild(index);
  if (!node || open === 0) return slice;
  if (node.type !== nodes.table) {
    const within = closed(
      new Slice(node.content, Math.max(0, openStart - 1), Math.max(0, openEnd - 1)),
      edge,
    );
    return replaced(
      node.copy(within.content),
      (edge === 'first' ? within.openStart : within.openEnd) + 1,
    );
  }
  return replaced(tableOf(node.content).child(0), 0);

  function replaced(child: Node, depth: number): Slice {
    const children = content.replaceChild(index, child);
    return edge === 'first'
      ? new Slice(children, depth, openEnd)
      : new Slice(children, openStart, depth);
  }
}

const isCell = ({ type }: Node) => type === nodes.table_cell || type === nodes.table_header;

/** Returns a table of these rows, with empty cells where they are shorter. The first row is the head. */
function tableOf(rows: Fragment): Fragment {
  const width = Math.max(...rows.content.map(({ childCount }) => childCount));
  const complete = rows.content.map((row, index) => {
    const type = index === 0 ? nodes.table_header : nodes.table_cell;
    const cells = row.children.map(({ attrs, content }) => type.create(attrs, content));
    const missing = Array.from({ length: width - cells.length }, () =>
      type.create(null, nodes.paragraph.create()),
    );
    return row.copy(
      Fragment.fromArray(index === 0 ? [...missing, ...cells] : [...cells, ...missing]),
    );
  });
  return Fragment.from(nodes.table.create(null, complete));
}

/** Returns the nodes to write: blocks, or the words of one block. */
function contentOf({ content, openStart, openEnd }: Slice): Fragment {
  let [found, inner] = [content, content];
  for (let depth = Math.min(openStart, openEnd); depth > 0; depth -= 1) {
    const [only, other] = inner.content;
    if (!only || other) break;
    // Code keeps its spaces and line breaks.
    if (only.isTextblock) return only.type.spec.code ? Fragment.from(only) : only.content;
    inner = only.content;
    if (inner.firstChild?.type.isInGroup('block')) found = inner;
  }
  return found;
}

function textOf(slice: Slice): string {
  const content = contentOf(slice);
  const [first, other] = content.content;
  const isCode = first?.type.spec.code === true && !other && slice.openStart > 0;
  if (!isCode && !first?.isInline) return writeSlice(new Slice(content, 0, 0));
  return content.textBetween(0, content.size, '', ({ type, attrs }) =>
    type.name === 'hard_break' ? '\n' : String(attrs['alt'] ?? ''),
  );
}

function htmlOf(slice: Slice): string {
  // In a document without a window, images are not loaded.
  const page = document.implementation.createHTMLDocument('');
  const host = page.createElement('div');
  host.append(htmlSerializer.serializeFragment(contentOf(slice), { document: page }));
  return host.innerHTML;
}

/** Writes HTML that other programs understand without our styles. */
class HtmlSerializer extends DOMSerializer {
  override serializeFragment(
    ...parts: Parameters<DOMSerializer['serializeFragment']>
  ): HTMLElement | DocumentFragment {
    const written = super.serializeFragment(...parts);
    if (parts[2] === undefined) for (const item of written.querySelectorAll('li')) tidy(item);
    return written;
  }
}

/** Shows the checkbox of an item as text, and an item of one paragraph without space around it. */
function tidy(item: HTMLLIElement): void {
  const [first, ...others] = item.children;
  const { checked } = item.dataset;
  if (checked !== undefined) {
    (first ?? item).prepend(checked === 'true' ? '☑ ' : '☐ ');
    delete item.dataset['checked'];
  }
  if (first?.localName === 'p' && others.every(({ localName }) => /^[ou]l$/.test(localName))) {
    if (first.hasAttribute('dir')) item.dir = 'rtl';
    first.replaceWith(...first.childNodes);
  }
}

const directionIn = ({ textContent }: Node) =>
  directionOf(textContent) === 'rtl' ? { dir: 'rtl' } : {};

const cell =
  (tag: 'td' | 'th') =>
  ({ attrs, firstChild }: Node) => {
    const { align } = attrs as { align: Alignment };
    const direction = firstChild ? directionIn(firstChild) : {};
    return [tag, { ...(align !== null && { align }), ...direction }, 0] as const;
  };

const htmlSerializer = new HtmlSerializer(
  {
    ...DOMSerializer.nodesFromSchema(schema),
    paragraph: (node) => ['p', directionIn(node), 0],
    heading: (node) => [`h${String(node.attrs['level'])}`, directionIn(node), 0],
    ordered_list: ({ attrs }) => {
      const start = String(attrs['order']);
      return ['ol', start === '1' ? {} : { start }, 0];
    },
    code_block: ({ attrs }) => {
      const [language = ''] = String(attrs['info']).split(/\s/);
      return ['pre', ['code', language === '' ? {} : { class: `language-${language}` }, 0]];
    },
    raw_block: () => ['pre', ['code', 0]],
    // Word and mail show no lines without it.
    table: () => ['table', { border: '1' }, ['tbody', 0]],
    table_cell: cell('td'),
    table_header: cell('th'),
    image: ({ attrs }) => {
      const { src, alt, title } = attrs as { src: string; alt: string; title: string | null };
      if (!/^https?:/i.test(src)) return ['span', alt];
      return ['img', { src, alt, ...(title !== null && { title }) }];
    },
  },
  {
    ...DOMSerializer.marksFromSchema(schema),
    link: ({ attrs }) => {
      const href = safeAddress(String(attrs['href']));
      return href === undefined ? ['span', 0] : ['a', { href }, 0];
    },
    // Word reads `del` as a tracked change.
    strike: () => ['s', 0],
    html: () => ['span', 0],
  },
);
