import { WidgetType, type EditorView } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import type { Construct, LivePage, Span } from './page.js';

/** Maximum level of lists with a separate indent. */
const DEEPEST_LIST = 8;
/** Maximum length of a checkbox label. */
const LONGEST_LABEL = 200;

function levelOf(node: SyntaxNode): number {
  let level = 0;
  for (let at: SyntaxNode | null = node; at; at = at.parent) if (at.name === 'ListItem') level += 1;
  return Math.min(level, DEEPEST_LIST);
}

const spacesOf = (text: string) => /^[ \t]*/.exec(text)?.[0].length ?? 0;

/** Shows an item with a hanging indent, which replaces the spaces before its lines. */
function listItem(node: SyntaxNode, page: LivePage): void {
  const mark = node.getChild('ListMark');
  if (!mark) return;
  const first = page.state.doc.lineAt(node.from);
  const look = `cm-li cm-li-${String(levelOf(node))}`;
  const hasSpace = spacesOf(page.text({ from: mark.to, to: first.to })) > 0;
  const content = mark.to + (hasSpace ? 1 : 0);
  for (const line of page.lines(node)) {
    const spaces = spacesOf(line.text);
    if (line.from === first.from) {
      page.line(line, `${look} cm-li-first`);
      if (line.from + spaces === mark.from) hideSpaces(line.from, spaces, page);
    } else {
      page.line(line, look);
      const isNested = isNestedLine(node, line.from + spaces);
      if (!isNested) hideSpaces(line.from, Math.min(spaces, content - first.from), page);
    }
  }
  listMark(node, { from: mark.from, to: content }, page);
}

function hideSpaces(from: number, count: number, page: LivePage): void {
  page.hide({ from, to: from + count });
  if (count > 0 && from > 0) page.skip({ from: from - 1, to: from + count });
}

/** Shows a bullet, number or checkbox, or the Markdown if the selection touches it. */
function listMark(node: SyntaxNode, mark: Span, page: LivePage): void {
  const task = node.getChild('Task')?.getChild('TaskMarker');
  const isTouched = page.isTouched({ from: mark.from, to: task ? task.to : mark.to - 1 });
  if (task && !isTouched) {
    page.hide({ from: mark.from, to: task.from });
    const isDone = /x/i.test(page.text(task));
    page.replace(task, new Checkbox(isDone, labelOf(task, page), page.state.readOnly));
  } else {
    const isBullet = node.parent?.name === 'BulletList' && !isTouched;
    page.mark(mark, isBullet ? 'cm-bullet' : 'cm-list-mark');
  }
}

/** True if a nested item starts on the line. That item hides its own spaces. */
function isNestedLine(node: SyntaxNode, at: number): boolean {
  for (let inner: SyntaxNode | null = node.resolve(at, 1); inner; inner = inner.parent) {
    if (inner.from === node.from && inner.name === 'ListItem') return false;
    if (inner.name === 'ListItem') return true;
  }
  return false;
}

/** Returns the first line of a task without Markdown. */
function labelOf(task: SyntaxNode, page: LivePage): string {
  const { to } = page.state.doc.lineAt(task.to);
  const label = page
    .text({ from: task.to, to })
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)|<[^>]*>|[*`~]+/g, '$1')
    .trim();
  return label === '' ? 'Task' : label.slice(0, LONGEST_LABEL);
}

/** The checkbox of a task. A click changes the character between the brackets. */
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
      // Keeps the caret where it is.
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

/** Writes `x` or a space between the brackets. `at` is the position after the first one. */
function toggleTask(view: EditorView, at: number): void {
  if (view.state.readOnly) return;
  const insert = view.state.sliceDoc(at, at + 1) === ' ' ? 'x' : ' ';
  view.dispatch({ changes: { from: at, to: at + 1, insert }, userEvent: 'input.task' });
}

export const lists: Construct = { ListItem: listItem };
