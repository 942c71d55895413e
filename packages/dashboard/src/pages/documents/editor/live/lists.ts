import { WidgetType, type EditorView } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import type { Construct, LivePage } from './page.js';

/** Levels of lists that are indented; deeper ones stand below the last. */
const DEEPEST_LIST = 8;
/** Characters of a task that name its checkbox. */
const LONGEST_LABEL = 200;

function levelOf(node: SyntaxNode): number {
  let level = 0;
  for (let at: SyntaxNode | null = node; at; at = at.parent) if (at.name === 'ListItem') level += 1;
  return Math.min(level, DEEPEST_LIST);
}

/** Shows an item with a hanging indent: its spaces at the beginning of lines are hidden, which the indent stands for. */
function listItem(node: SyntaxNode, page: LivePage): void {
  const mark = node.getChild('ListMark');
  if (!mark) return;
  const { doc } = page.state;
  const first = doc.lineAt(node.from);
  const level = levelOf(node);
  const column = mark.from - first.from;
  const spaces = /^[ \t]*/.exec(page.text({ from: mark.to, to: first.to }))?.[0].length ?? 0;
  const content = mark.to + Math.min(spaces, 1);
  for (const line of page.lines(node)) {
    const isFirst = line.from === first.from;
    page.line(line, `cm-li cm-li-${String(level)}${isFirst ? ' cm-li-first' : ''}`);
    const indent = /^[ \t]*/.exec(line.text)?.[0].length ?? 0;
    const hidden = isFirst ? (indent === column ? indent : 0) : Math.min(indent, content - first.from);
    const indentation = { from: line.from, to: line.from + hidden };
    if (hidden === 0 || isNestedLine(node, line.from + indent, isFirst)) continue;
    page.hide(indentation);
    if (line.from > 0) page.skip({ from: line.from - 1, to: indentation.to });
  }
  const task = node.getChild('Task')?.getChild('TaskMarker');
  const isBullet = node.parent?.name === 'BulletList';
  if (task && !page.isTouched(task) && !page.isTouched(mark)) {
    page.hide({ from: mark.from, to: task.from });
    const isDone = /x/i.test(page.text(task));
    page.replace(task, new Checkbox(isDone, labelOf(task, page), page.state.readOnly));
    return;
  }
  const look = isBullet && !task && !page.isTouched(mark) ? 'cm-bullet' : 'cm-list-mark';
  page.mark({ from: mark.from, to: content }, look);
}

/** True if an item within this one begins at the line, which hides the spaces itself. */
function isNestedLine(node: SyntaxNode, at: number, isFirst: boolean): boolean {
  if (isFirst) return false;
  for (let inner: SyntaxNode | null = node.resolve(at, 1); inner; inner = inner.parent) {
    if (inner.from === node.from && inner.name === 'ListItem') return false;
    if (inner.name === 'ListItem') return true;
  }
  return false;
}

function labelOf(task: SyntaxNode, page: LivePage): string {
  const label = page.text({ from: task.to, to: task.parent?.to ?? task.to }).trim();
  return label === '' ? 'Task' : label.slice(0, LONGEST_LABEL);
}

/** The box of a task. A click writes the one character between its brackets. */
class Checkbox extends WidgetType {
  constructor(
    private readonly isDone: boolean,
    private readonly label: string,
    private readonly isReadOnly: boolean,
  ) {
    super();
  }

  override eq(other: Checkbox): boolean {
    return (
      other.isDone === this.isDone &&
      other.label === this.label &&
      other.isReadOnly === this.isReadOnly
    );
  }

  override toDOM(view: EditorView): HTMLElement {
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.className = 'cm-task';
    box.tabIndex = -1;
    box.addEventListener('mousedown', (event) => {
      // The caret stays where it is.
      event.preventDefault();
    });
    box.addEventListener('click', () => {
      toggleTask(view, view.posAtDOM(box) + 1);
    });
    this.updateDOM(box);
    return box;
  }

  override updateDOM(box: HTMLElement): boolean {
    if (!(box instanceof HTMLInputElement)) return false;
    box.checked = this.isDone;
    box.disabled = this.isReadOnly;
    box.setAttribute('aria-label', this.label);
    return true;
  }
}

/** Writes `x` or a space between the brackets; `at` is behind the first of them. */
function toggleTask(view: EditorView, at: number): void {
  if (view.state.readOnly) return;
  const insert = view.state.sliceDoc(at, at + 1) === ' ' ? 'x' : ' ';
  view.dispatch({ changes: { from: at, to: at + 1, insert }, userEvent: 'input.task' });
}

export const lists: Construct = { ListItem: listItem };
