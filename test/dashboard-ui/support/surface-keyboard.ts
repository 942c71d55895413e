import type { Mark, Node } from 'prosemirror-model';
import {
  EditorState,
  Selection,
  TextSelection,
  type Command,
  type Transaction,
} from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { surfaceInputRules } from '../../../packages/dashboard/src/pages/documents/editor/surface/input-rules.js';
import { surfaceKeys } from '../../../packages/dashboard/src/pages/documents/editor/surface/keys.js';
import { schema } from '../../../packages/dashboard/src/pages/documents/editor/surface/schema.js';
import { tablePlugins } from '../../../packages/dashboard/src/pages/documents/editor/surface/tables.js';

const { nodes, marks } = schema;

/**
 * An outline of a document: `p(text)`, `h1(…)`, `code(…)`, `html(…)`, `hr`, `ul(li(p(…)))`, `ol`, `open` and `done`
 * for tasks, `quote(…)` and `table(tr(th(…)) tr(td(…)))`. In text, `^` is the caret or an end of the selection, `/` a
 * break or newline, `@` an image, and `{b:…}` bold; also `i`, `c`, `s` and `a` for italic, code, strikethrough, links.
 */
type Outline = string;

const TEXT_BLOCKS = ['p', 'h1', 'h2', 'h3', 'code', 'html', 'th', 'td'];

const MARKS: Readonly<Record<string, Mark>> = {
  b: marks.strong.create(),
  i: marks.em.create(),
  c: marks.code.create(),
  s: marks.strike.create(),
  a: marks.link.create({ href: 'https://example.com' }),
};

const CREATE: Readonly<Record<string, (content: Node[]) => Node>> = {
  p: (content) => nodes.paragraph.create(null, content),
  h1: (content) => nodes.heading.create({ level: 1 }, content),
  h2: (content) => nodes.heading.create({ level: 2 }, content),
  h3: (content) => nodes.heading.create({ level: 3 }, content),
  code: (content) => nodes.code_block.create(null, content),
  html: (content) => nodes.raw_block.create(null, content),
  ul: (content) => nodes.bullet_list.create(null, content),
  ol: (content) => nodes.ordered_list.create(null, content),
  li: (content) => nodes.list_item.create(null, content),
  open: (content) => nodes.list_item.create({ checked: false }, content),
  done: (content) => nodes.list_item.create({ checked: true }, content),
  quote: (content) => nodes.blockquote.create(null, content),
  table: (content) => nodes.table.create(null, content),
  tr: (content) => nodes.table_row.create(null, content),
  th: (content) => nodes.table_header.create(null, nodes.paragraph.create(null, content)),
  td: (content) => nodes.table_cell.create(null, nodes.paragraph.create(null, content)),
};

class OutlineReader {
  private at = 0;
  readonly selection: number[] = [];

  constructor(private readonly outline: Outline) {}

  /** Reads sibling blocks. `position` is that of the first one. */
  blocks(position: number): Node[] {
    const found: Node[] = [];
    let start = position;
    for (;;) {
      while (this.outline[this.at] === ' ') this.at += 1;
      const name = /^[a-z]+\d?/.exec(this.outline.slice(this.at))?.[0];
      if (name === undefined) return found;
      this.at += name.length;
      const node = this.block(name, start);
      found.push(node);
      start += node.nodeSize;
    }
  }

  private block(name: string, position: number): Node {
    if (name === 'hr') return nodes.horizontal_rule.create();
    this.at += 1;
    const isCell = name === 'th' || name === 'td';
    const content = TEXT_BLOCKS.includes(name)
      ? this.text(position + (isCell ? 2 : 1), name === 'code' || name === 'html')
      : this.blocks(position + 1);
    this.at += 1;
    const create = CREATE[name];
    if (!create) throw new Error(`The outline ${this.outline} has an unknown block.`);
    return create(content);
  }

  private text(start: number, isCode: boolean, active: readonly Mark[] = []): Node[] {
    const found: Node[] = [];
    let position = start;
    const add = (...added: Node[]) => {
      for (const node of added) {
        found.push(node);
        position += node.nodeSize;
      }
    };
    for (;;) {
      const character = this.outline[this.at];
      if (character === undefined) throw new Error(`The outline ${this.outline} has no end.`);
      if (character === ')' || character === '}') return found;
      this.at += 1;
      if (character === '^') this.selection.push(position);
      else if (character === '/')
        add(isCode ? schema.text('\n') : nodes.hard_break.create(null, null, active));
      else if (character === '@') add(nodes.image.create({ src: 'x.png' }, null, active));
      else if (character === '{') {
        const mark = MARKS[this.outline[this.at] ?? ''];
        if (!mark) throw new Error(`The outline ${this.outline} has an unknown mark.`);
        this.at += 2;
        add(...this.text(position, isCode, mark.addToSet(active)));
        this.at += 1;
      } else add(schema.text(character, active));
    }
  }
}

export function stateOf(outline: Outline): EditorState {
  const reader = new OutlineReader(outline);
  const doc = nodes.doc.create(null, reader.blocks(0));
  doc.check();
  const [anchor, head = anchor] = reader.selection;
  const selection =
    anchor === undefined || head === undefined
      ? Selection.atStart(doc)
      : TextSelection.create(doc, anchor, head);
  return EditorState.create({ doc, selection });
}

/** Returns the outline of a state, with `^` at the ends of the selection. */
export function outlineOf({ doc, selection }: EditorState): Outline {
  const { from, to, empty } = selection;
  const ends = new Set(empty ? [from] : [from, to]);
  return children(doc, 0);

  function children(parent: Node, start: number): string {
    const parts: string[] = [];
    parent.forEach((node, offset) => parts.push(blockOf(node, start + offset)));
    return parts.join(' ');
  }

  function blockOf(node: Node, position: number): string {
    const name = nameOf(node);
    if (node.isLeaf && !node.isTextblock) return ends.has(position) && !empty ? `^${name}^` : name;
    if (node.isTextblock) return `${name}(${textOf(node, position + 1)})`;
    const { firstChild } = node;
    if ((name === 'th' || name === 'td') && firstChild)
      return `${name}(${textOf(firstChild, position + 2)})`;
    return `${name}(${children(node, position + 1)})`;
  }

  function textOf(block: Node, start: number): string {
    let text = '';
    let active: readonly Mark[] = [];
    const activate = (marked: readonly Mark[]) => {
      let same = 0;
      while (same < active.length && active[same]?.type === marked[same]?.type) same += 1;
      text += '}'.repeat(active.length - same);
      text += marked
        .slice(same)
        .map((mark) => `{${keyOf(mark)}:`)
        .join('');
      active = marked;
    };
    block.forEach((node, offset) => {
      activate(node.marks);
      for (let index = 0; index < node.nodeSize; index += 1) {
        if (ends.has(start + offset + index)) text += '^';
        if (node.type === nodes.image) text += '@';
        else text += (node.text?.[index] ?? '/').replace('\n', '/');
      }
    });
    activate([]);
    return ends.has(start + block.content.size) ? `${text}^` : text;
  }
}

const keyOf = ({ type }: Mark) =>
  Object.keys(MARKS).find((name) => MARKS[name]?.type === type) ?? '?';

function nameOf({ type, attrs }: Node): string {
  if (type === nodes.list_item)
    return attrs['checked'] === null ? 'li' : attrs['checked'] === true ? 'done' : 'open';
  if (type === nodes.heading) return `h${String(attrs['level'])}`;
  const names: Readonly<Record<string, string>> = {
    paragraph: 'p',
    code_block: 'code',
    raw_block: 'html',
    horizontal_rule: 'hr',
    bullet_list: 'ul',
    ordered_list: 'ol',
    blockquote: 'quote',
    table: 'table',
    table_row: 'tr',
    table_header: 'th',
    table_cell: 'td',
  };
  return names[type.name] ?? type.name;
}

/** What keys of a US keyboard are with Shift. */
const SHIFTED: Readonly<Record<string, string>> = { x: 'X', z: 'Z', 7: '&', 8: '*', 9: '(' };

/** A keyboard on an editor without a browser. What plugins leave to the browser, it does as a browser would. */
export class Keyboard {
  state: EditorState;
  composing = false;
  /** Keys that moved the focus away. */
  leftBy: string[] = [];

  /** Starts with an outline, or with a document and a caret. */
  constructor(start: Outline | { doc: Node; caret: number }) {
    const { doc, selection } =
      typeof start === 'string'
        ? stateOf(start)
        : { doc: start.doc, selection: TextSelection.create(start.doc, start.caret) };
    // As in the editor, the tools come first.
    const plugins = [surfaceInputRules(), ...tablePlugins(), ...surfaceKeys()];
    this.state = EditorState.create({ doc, selection, plugins });
  }

  get outline(): Outline {
    return outlineOf(this.state);
  }

  readonly dispatch = (transaction: Transaction): void => {
    this.state = this.state.apply(transaction);
    this.state.doc.check();
  };

  run(command: Command): boolean {
    return command(this.state, this.dispatch, this.view);
  }

  /** Presses keys such as `Shift-Enter`, and types the texts in quotes: `'"# " Backspace'`. */
  press(keys: string): void {
    for (const [, text, key = ''] of keys.matchAll(/"([^"]*)"|(\S+)/g))
      if (text === undefined) this.key(key);
      else for (const character of text) this.type(character);
  }

  type(text: string): void {
    const { from, to } = this.state.selection;
    const plain = () => this.state.tr.insertText(text);
    const isHandled = this.state.plugins.some(
      (plugin) =>
        plugin.props.handleTextInput?.call(plugin, this.view, from, to, text, plain) === true,
    );
    if (!isHandled) this.dispatch(plain());
  }

  private key(name: string): void {
    const parts = name.split('-');
    const key = parts.pop() ?? '';
    const isShifted = parts.includes('Shift');
    const codes: Record<string, number> =
      key.length === 1 ? { keyCode: key.toUpperCase().charCodeAt(0) } : {};
    const event = {
      ...codes,
      key: isShifted ? (SHIFTED[key] ?? key) : key,
      shiftKey: isShifted,
      altKey: parts.includes('Alt'),
      ctrlKey: parts.includes('Ctrl'),
      metaKey: false,
      isComposing: false,
    } as unknown as KeyboardEvent;
    const isHandled = this.state.plugins.some(
      (plugin) => plugin.props.handleKeyDown?.call(plugin, this.view, event) === true,
    );
    if (!isHandled) this.browser(name);
  }

  private get view(): EditorView {
    return {
      state: this.state,
      dispatch: this.dispatch,
      composing: this.composing,
      endOfTextblock: (direction: string) => this.isAtEnd(direction),
    } as unknown as EditorView;
  }

  private isAtEnd(direction: string): boolean {
    const { $head } = this.state.selection;
    const { parent, parentOffset } = $head;
    const text = parent.textBetween(0, parent.content.size, undefined, '\n');
    if (direction === 'up') return !text.slice(0, parentOffset).includes('\n');
    if (direction === 'down') return !text.slice(parentOffset).includes('\n');
    return direction === 'left' || direction === 'backward'
      ? parentOffset === 0
      : parentOffset === parent.content.size;
  }

  /** Does what a browser does with a key in a text. */
  private browser(name: string): void {
    const { $head, empty, from } = this.state.selection;
    if (name.endsWith('Tab')) this.leftBy.push(name);
    if (!$head.parent.isTextblock) return;
    if (name === 'Home' || name === 'End')
      this.select(name === 'Home' ? $head.start() : $head.end());
    else if (name === 'ArrowLeft') this.selectNear($head.pos - 1, -1);
    else if (name === 'ArrowRight') this.selectNear($head.pos + 1, 1);
    else if (empty && name === 'Backspace' && $head.parentOffset > 0)
      this.dispatch(this.state.tr.delete(from - 1, from));
    else if (empty && name === 'Delete' && $head.parentOffset < $head.parent.content.size)
      this.dispatch(this.state.tr.delete(from, from + 1));
  }

  private selectNear(position: number, direction: 1 | -1): void {
    const { doc } = this.state;
    if (position < 0 || position > doc.content.size) return;
    this.dispatch(this.state.tr.setSelection(Selection.near(doc.resolve(position), direction)));
  }

  private select(position: number): void {
    this.dispatch(this.state.tr.setSelection(TextSelection.create(this.state.doc, position)));
  }
}
