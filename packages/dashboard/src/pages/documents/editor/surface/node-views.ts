import type { Mark, Node } from 'prosemirror-model';
import type { EditorView, MarkView, NodeView, ViewMutationRecord } from 'prosemirror-view';
import { REL, safeAddress } from '../addresses.js';
import { directionOf } from '../direction.js';

type GetPosition = () => number | undefined;

/** Sets the direction of an element by the first letter of its text. */
function setDirection(element: HTMLElement, { textContent }: Node): void {
  const direction = directionOf(textContent);
  if (direction === undefined) element.removeAttribute('dir');
  else if (element.dir !== direction) element.dir = direction;
}

/** A list item, whose marker or checkbox is on the side where its text begins. */
class ItemView implements NodeView {
  readonly dom = document.createElement('li');
  readonly contentDOM: HTMLElement;
  private readonly box: HTMLInputElement | undefined;

  constructor(
    private node: Node,
    private readonly view: EditorView,
    private readonly position: GetPosition,
  ) {
    if (node.attrs['checked'] === null) {
      this.contentDOM = this.dom;
    } else {
      this.dom.className = 'task';
      this.box = this.boxOf();
      this.contentDOM = document.createElement('div');
      this.dom.append(this.box, this.contentDOM);
    }
    this.show();
  }

  update(node: Node): boolean {
    const hasBox = node.attrs['checked'] !== null;
    if (node.type !== this.node.type || hasBox !== (this.box !== undefined)) return false;
    this.node = node;
    this.show();
    return true;
  }

  stopEvent({ target }: Event): boolean {
    return target === this.box;
  }

  ignoreMutation({ type, target }: ViewMutationRecord): boolean {
    if (type === 'selection') return false;
    return target === this.dom ? type === 'attributes' : target === this.box;
  }

  private show(): void {
    setDirection(this.dom, this.node);
    const { box, node, view } = this;
    if (!box) return;
    box.checked = node.attrs['checked'] === true;
    box.disabled = !view.editable;
    box.setAttribute('aria-label', node.firstChild?.textContent ?? '');
  }

  private boxOf(): HTMLInputElement {
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.contentEditable = 'false';
    // Keeps the selection in the text.
    box.addEventListener('mousedown', (event) => {
      event.preventDefault();
    });
    box.addEventListener('change', () => {
      const at = this.position();
      if (at === undefined || !this.view.editable) return;
      this.view.dispatch(this.view.state.tr.setNodeAttribute(at, 'checked', box.checked));
    });
    return box;
  }
}

/** A block quote, whose bar is on the side where its text begins. */
class QuoteView implements NodeView {
  readonly dom = document.createElement('blockquote');
  readonly contentDOM = this.dom;

  constructor(private readonly node: Node) {
    setDirection(this.dom, node);
  }

  update(node: Node): boolean {
    if (node.type !== this.node.type) return false;
    setDirection(this.dom, node);
    return true;
  }

  ignoreMutation({ type, target }: ViewMutationRecord): boolean {
    return type === 'attributes' && target === this.dom;
  }
}

/** A table, which scrolls sideways if it is wider than the column. */
class TableView implements NodeView {
  readonly dom = document.createElement('div');
  readonly contentDOM = document.createElement('tbody');
  private readonly sizes = new ResizeObserver(() => {
    this.measure();
  });

  constructor(
    private readonly node: Node,
    private readonly view: EditorView,
  ) {
    this.dom.className = 'table';
    const table = document.createElement('table');
    table.append(this.contentDOM);
    this.dom.append(table);
    this.sizes.observe(table);
    this.sizes.observe(this.dom);
  }

  update({ type }: Node): boolean {
    return type === this.node.type;
  }

  ignoreMutation({ type, target }: ViewMutationRecord): boolean {
    return type === 'attributes' && target === this.dom;
  }

  destroy(): void {
    this.sizes.disconnect();
  }

  /** The keyboard scrolls what it can focus. While the text can be edited, the caret scrolls it. */
  private measure(): void {
    const { dom, view } = this;
    const scrolls = dom.scrollWidth > dom.clientWidth;
    if (scrolls) {
      dom.setAttribute('role', 'region');
      dom.setAttribute('aria-label', 'Table');
    } else {
      dom.removeAttribute('role');
      dom.removeAttribute('aria-label');
    }
    if (scrolls && !view.editable) dom.tabIndex = 0;
    else dom.removeAttribute('tabindex');
  }
}

/** A placeholder for an image. Loading images of other sites would tell them who reads the document. */
function imageView(node: Node): NodeView {
  const { src, alt } = node.attrs as { src: string; alt: string };
  const href = safeAddress(src.startsWith('//') ? `https:${src}` : src);
  const host = href === undefined ? '' : new URL(href).host;
  const name = alt === '' ? src.replace(/^.*[/:]/, '') : alt;
  const dom = document.createElement('span');
  dom.className = 'image';
  dom.textContent = host === '' ? `Image: ${name}` : `Image on ${host}`;
  dom.title = alt === '' ? src : alt;
  return { dom };
}

/** A link. Only safe addresses are in the page. */
function linkView(mark: Mark): MarkView {
  const href = safeAddress(String(mark.attrs['href']));
  if (href === undefined) {
    const dom = document.createElement('span');
    dom.className = 'link';
    return { dom };
  }
  const dom = document.createElement('a');
  dom.className = 'link';
  dom.href = href;
  dom.target = '_blank';
  dom.rel = REL;
  dom.draggable = false;
  return { dom };
}

export const nodeViews = {
  list_item: (node: Node, view: EditorView, position: GetPosition) =>
    new ItemView(node, view, position),
  blockquote: (node: Node) => new QuoteView(node),
  table: (node: Node, view: EditorView) => new TableView(node, view),
  image: imageView,
};

export const markViews = { link: linkView };
