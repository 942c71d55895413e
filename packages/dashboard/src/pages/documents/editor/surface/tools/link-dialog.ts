import { closeHistory } from 'prosemirror-history';
import { Plugin, PluginKey, type Command, type EditorState } from 'prosemirror-state';
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view';
import { openAddress, safeAddress } from '../../addresses.js';
import { insertImage, linkAround, removeLink, setLink } from '../commands.js';
import { elementOf } from './elements.js';
import { completeAddress, isAddress } from './link-address.js';
import { boxBetween, keepFocus, Popup, type Place } from './popup.js';
import { deleteAndRun, run } from './steps.js';

/** The open dialog and the range that it changes. */
interface Dialog {
  kind: 'link' | 'image';
  from: number;
  to: number;
}

const key = new PluginKey<Dialog | null>('link-dialog');

/** Opens the dialog for the link around the caret, or for the selection. */
export const openLinkDialog: Command = (state, dispatch) => {
  const { $from } = state.selection;
  if (!$from.parent.inlineContent || $from.parent.type.spec.code === true) return false;
  const { from, to } = linkAround(state) ?? state.selection;
  dispatch?.(state.tr.setMeta(key, { kind: 'link', from, to } satisfies Dialog));
  return true;
};

/** Opens the dialog for an image that replaces a range. */
export function openImageDialog(
  view: EditorView,
  { from, to }: { from: number; to: number },
): void {
  view.dispatch(view.state.tr.setMeta(key, { kind: 'image', from, to } satisfies Dialog));
}

function field(label: string, name: string, attributes: Readonly<Record<string, string>> = {}) {
  const input = elementOf('input', { name, type: 'text', autocomplete: 'off', ...attributes });
  const caption = elementOf('span', {}, label);
  return { input, caption, dom: elementOf('label', { class: 'tools-field' }, caption, input) };
}

const PROBLEM = 'writing-address-problem';

class LinkDialog extends Popup {
  private readonly text = field('Text', 'text');
  private readonly address = field('Address', 'address', {
    inputmode: 'url',
    autocapitalize: 'off',
    spellcheck: 'false',
    'aria-describedby': PROBLEM,
  });
  private readonly problem = elementOf('p', { id: PROBLEM, class: 'tools-problem', role: 'alert' });
  private readonly remove = elementOf('button', { type: 'button' }, 'Remove');
  private readonly open = elementOf('button', { type: 'button' }, 'Open');
  private readonly apply = elementOf('button', { type: 'submit', class: 'tools-primary' }, 'Apply');
  private readonly form = elementOf('form', { novalidate: '' });
  private shown: Dialog | null = null;
  /** Values of the fields when the dialog opened. */
  private before = { text: '', href: '' };

  constructor(view: EditorView) {
    const dom = elementOf('div', {
      class: 'tools-popup tools-dialog',
      role: 'dialog',
    });
    super(view, dom);
    const space = elementOf('span', { class: 'tools-space' });
    this.form.append(
      this.text.dom,
      this.address.dom,
      this.problem,
      elementOf('div', { class: 'tools-actions' }, this.remove, this.open, space, this.apply),
    );
    dom.append(this.form);
    keepFocus(dom);
    dom.addEventListener('submit', (event) => {
      event.preventDefault();
      this.submit();
    });
    dom.addEventListener('input', () => {
      this.showProblem('');
      this.showActions();
    });
    dom.addEventListener('keydown', (event) => {
      this.onKey(event);
    });
    dom.addEventListener('focusout', ({ relatedTarget }) => {
      const isInside = relatedTarget instanceof Node && dom.contains(relatedTarget);
      // The window may have lost the focus, and gets it back.
      if (!isInside && document.hasFocus()) this.close();
    });
    this.remove.addEventListener('click', () => {
      this.close();
      run(view, removeLink);
    });
    this.open.addEventListener('click', () => {
      const href = safeAddress(completeAddress(this.address.input.value));
      if (href !== undefined) openAddress(href);
    });
  }

  override update(): void {
    const dialog = key.getState(this.view.state) ?? null;
    const isNew = dialog !== null && this.shown === null;
    this.shown = dialog;
    if (isNew) this.fill(dialog);
    if (!isNew) {
      super.update();
      return;
    }
    this.refresh();
    const { text, address } = this;
    const first = dialog.kind === 'link' && text.input.value === '' ? text : address;
    first.input.focus();
    first.input.select();
  }

  protected place(): Place | undefined {
    if (!this.shown) return undefined;
    return { anchor: boxBetween(this.view, this.shown.from, this.shown.to), side: 'below' };
  }

  private fill({ kind, from, to }: Dialog): void {
    const { state } = this.view;
    const isLink = kind === 'link';
    const written = isLink ? state.doc.textBetween(from, to, ' ') : '';
    const href = isLink ? linkAround(state)?.href : undefined;
    this.before = { text: written, href: href ?? '' };
    this.dom.setAttribute('aria-label', isLink ? 'Link' : 'Image');
    this.text.caption.textContent = isLink ? 'Text' : 'Description';
    this.text.input.value = written;
    this.address.input.value = href ?? (isAddress(written) ? written : '');
    // An image starts with its address, because the description is optional.
    this.form.prepend(
      ...(isLink ? [this.text.dom, this.address.dom] : [this.address.dom, this.text.dom]),
    );
    this.apply.textContent = isLink ? 'Apply' : 'Insert';
    this.remove.hidden = href === undefined;
    this.showProblem('');
    this.showActions();
  }

  private showActions(): void {
    const isLink = this.shown?.kind === 'link';
    this.open.hidden =
      !isLink || safeAddress(completeAddress(this.address.input.value)) === undefined;
  }

  private showProblem(problem: string): void {
    this.problem.textContent = problem;
    this.address.input.setAttribute('aria-invalid', String(problem !== ''));
    if (problem === '') return;
    this.address.input.focus();
    // The dialog is higher now.
    this.refresh();
  }

  private submit(): void {
    const { before } = this;
    const text = this.text.input.value.trim() === '' ? '' : this.text.input.value;
    const entered = this.address.input.value.trim() || (isAddress(text) ? text : '');
    // An address that nobody changed may be relative.
    const href = entered === before.href ? entered : completeAddress(entered);
    if (entered === '' && before.href === '') this.showProblem('Enter an address.');
    else if (entered !== '' && href === undefined)
      this.showProblem('Enter a web or email address.');
    else this.applyAddress(href ?? '', text === '' ? entered : text);
  }

  private applyAddress(href: string, text: string): void {
    const { view, shown } = this;
    this.close();
    if (shown?.kind === 'image') {
      const alt = this.text.input.value.trim();
      const transaction = deleteAndRun(view.state, shown, insertImage({ src: href, alt }));
      if (transaction) view.dispatch(transaction);
      view.focus();
    } else run(view, href === '' ? removeLink : setLink({ text, href }));
  }

  private onKey(event: KeyboardEvent): void {
    if (event.isComposing) return;
    // Keys of the page do not act in the dialog.
    event.stopPropagation();
    if (event.key === 'Escape') {
      event.preventDefault();
      this.close();
      this.view.focus();
    } else if (event.key === 'Tab') this.keepTab(event);
    else if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey))
      event.preventDefault();
  }

  /** Tab stays in the dialog. */
  private keepTab(event: KeyboardEvent): void {
    const controls = [...this.dom.querySelectorAll<HTMLElement>('input, button')].filter((one) =>
      one.checkVisibility(),
    );
    const [first, last] = [controls[0], controls.at(-1)];
    if (document.activeElement !== (event.shiftKey ? first : last)) return;
    event.preventDefault();
    (event.shiftKey ? last : first)?.focus();
  }

  private close(): void {
    const { view } = this;
    if (view.isDestroyed || !key.getState(view.state)) return;
    view.dispatch(closeHistory(view.state.tr.setMeta(key, null)));
  }
}

/** A dialog for the text and the address of a link. */
export function linkDialog(): Plugin<Dialog | null> {
  return new Plugin<Dialog | null>({
    key,
    state: {
      init: () => null,
      apply: (transaction, dialog) => {
        const next = transaction.getMeta(key) as Dialog | null | undefined;
        if (next !== undefined) return next;
        if (!dialog || !transaction.docChanged) return dialog;
        const { mapping } = transaction;
        return { ...dialog, from: mapping.map(dialog.from, -1), to: mapping.map(dialog.to, 1) };
      },
    },
    view: (view) => new LinkDialog(view),
    props: {
      // The browser hides the selection while a field has the focus.
      decorations: (state: EditorState) => {
        const dialog = key.getState(state);
        if (!dialog || dialog.from === dialog.to) return null;
        const { from, to } = dialog;
        return DecorationSet.create(state.doc, [
          Decoration.inline(from, to, { class: 'tools-selected' }),
        ]);
      },
      handleKeyDown: (view, event) => {
        const isKey = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
        if (!isKey || event.shiftKey || event.altKey) return false;
        // The key opens the command palette of the page elsewhere.
        event.stopPropagation();
        openLinkDialog(view.state, view.dispatch, view);
        return true;
      },
    },
  });
}
