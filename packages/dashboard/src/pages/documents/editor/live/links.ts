import type { Extension } from '@codemirror/state';
import { EditorView, WidgetType } from '@codemirror/view';
import type { SyntaxNode } from '@lezer/common';
import { addressOf, safeAddress } from './addresses.js';
import type { Construct, LivePage, Span } from './page.js';

/** For links to other sites. */
export const REL = 'noopener noreferrer nofollow';

function link(node: SyntaxNode, page: LivePage): void {
  const [open, close] = node.getChildren('LinkMark');
  const address = addressOf(page.state, node);
  if (!open || !close) return;
  if (address === undefined) {
    // `[so]` is a link only if the text defines `[so]: address`.
    page.mark(open, 'cm-brackets');
    page.mark(close, 'cm-brackets');
    return;
  }
  wrapLink({ from: open.to, to: close.from }, address, page);
  if (page.isTouched(node)) return;
  page.hide(open);
  page.hide({ from: close.from, to: node.to });
}

function wrapLink(span: Span, address: string, page: LivePage): void {
  const href = safeAddress(address);
  page.wrap(span, {
    class: 'cm-link',
    ...(href !== undefined && {
      tagName: 'a',
      attributes: { href, target: '_blank', rel: REL, draggable: 'false' },
    }),
  });
}

/** A placeholder for an image. Loading images of other sites would tell them who reads the document. */
class ImageChip extends WidgetType {
  constructor(
    private readonly text: string,
    private readonly hint: string,
  ) {
    super();
  }

  override eq(other: ImageChip): boolean {
    return other.text === this.text && other.hint === this.hint;
  }

  override toDOM(): HTMLElement {
    const chip = document.createElement('span');
    chip.className = 'cm-image';
    chip.textContent = this.text;
    chip.title = this.hint;
    return chip;
  }

  override ignoreEvent(): boolean {
    return false;
  }
}

function image(node: SyntaxNode, page: LivePage): void {
  const [open, close] = node.getChildren('LinkMark');
  const address = addressOf(page.state, node);
  const isOneLine = page.state.doc.lineAt(node.from).to >= node.to;
  if (!open || !close || address === undefined || !isOneLine || page.isTouched(node)) return;
  const alt = page.text({ from: open.to, to: close.from });
  const href = safeAddress(address.startsWith('//') ? `https:${address}` : address);
  const host = href === undefined ? '' : new URL(href).host;
  const name = alt === '' ? address.replace(/^.*[/:]/, '') : alt;
  const text = host === '' ? `Image: ${name}` : `Image on ${host}`;
  page.replace(node, new ImageChip(text, alt === '' ? address : alt));
}

export const links: Construct = {
  Link: link,
  Autolink: link,
  URL: (node, page) => {
    if (/^(Link|Image|Autolink|LinkReference)$/.test(node.parent?.name ?? '')) return;
    const address = addressOf(page.state, node);
    if (address !== undefined) wrapLink(node, address, page);
  },
  Image: image,
};

/** Opens an address in a new tab. */
export function openAddress(href: string): void {
  window.open(href, '_blank', 'noopener,noreferrer');
}

/** Ctrl or Cmd and a click open a link. In read-only text, the browser opens it with a click. */
export const linkBehavior: Extension = EditorView.domEventHandlers({
  click: (event, view) => {
    const anchor = event.target instanceof Element ? event.target.closest('a.cm-link') : null;
    if (!(anchor instanceof HTMLAnchorElement) || view.state.readOnly) return false;
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) openAddress(anchor.href);
    return true;
  },
});
