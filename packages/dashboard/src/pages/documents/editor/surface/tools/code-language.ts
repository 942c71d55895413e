import { closeHistory } from 'prosemirror-history';
import { Plugin, type EditorState } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { elementOf } from './elements.js';
import { Popup, visibleArea, type Place } from './popup.js';

/** Names that readers of Markdown know. The field takes any other. */
const LANGUAGES =
  'bash c cpp csharp css diff dockerfile go graphql html http ini java javascript json jsx kotlin lua makefile markdown mermaid php powershell python r ruby rust scss sh sql swift text toml tsx typescript xml yaml';

const LIST = 'writing-code-languages';

/** Returns the position before the code block around the selection. */
function codeAround({ selection: { $from, $to } }: EditorState): number | undefined {
  const isCode = $from.parent.type.name === 'code_block' && $from.sameParent($to);
  return isCode ? $from.before() : undefined;
}

/** A field at the corner of the code block around the caret. */
class LanguageField extends Popup {
  private readonly input = elementOf('input', {
    type: 'text',
    name: 'language',
    'aria-label': 'Language of the code',
    title: 'Language of the code (Alt+F10)',
    placeholder: 'Language',
    list: LIST,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    // Tab leaves the code. Alt+F10 moves to the field.
    tabindex: '-1',
  });
  /** Position before the code block that the field belongs to. */
  private position: number | undefined;

  constructor(view: EditorView) {
    super(view, elementOf('div', { class: 'tools-language' }));
    const options = LANGUAGES.split(' ').map((value) => elementOf('option', { value }));
    this.dom.append(this.input, elementOf('datalist', { id: LIST }, ...options));
    this.input.addEventListener('change', this.save);
    this.input.addEventListener('keydown', (event) => {
      if (event.isComposing) return;
      if (event.key === 'Escape') this.show();
      else if (event.key === 'Enter') this.save();
      else return;
      event.preventDefault();
      event.stopPropagation();
      view.focus();
    });
  }

  focus(): boolean {
    if (!this.isOpen) return false;
    this.input.focus();
    this.input.select();
    return true;
  }

  protected place(): Place | undefined {
    const { view } = this;
    const position = codeAround(view.state);
    if (!view.editable || position === undefined || !this.isActive) return undefined;
    const code = view.nodeDOM(position);
    if (!(code instanceof HTMLElement)) return undefined;
    const anchor = code.getBoundingClientRect();
    const { top, bottom } = visibleArea(view);
    if (anchor.bottom < top + 40 || anchor.top > bottom) return undefined;
    const isOther = position !== this.position;
    this.position = position;
    if (isOther || document.activeElement !== this.input) this.show();
    return { anchor, side: 'corner', gap: 4 };
  }

  private show(): void {
    const node = this.position === undefined ? null : this.view.state.doc.nodeAt(this.position);
    const info = String(node?.attrs['info'] ?? '');
    if (this.input.value !== info) this.input.value = info;
  }

  private readonly save = (): void => {
    const { view } = this;
    const position = codeAround(view.state);
    const node = position === undefined ? null : view.state.doc.nodeAt(position);
    if (position === undefined || !node) return;
    // A backtick would end the fence.
    const info = this.input.value.replaceAll('`', '').trim();
    if (info === node.attrs['info']) return;
    // Code that is indented by spaces has no place for a language.
    const fence = String(node.attrs['fence']) || '```';
    const attributes = { ...node.attrs, info, fence };
    view.dispatch(closeHistory(view.state.tr.setNodeMarkup(position, null, attributes)));
  };
}

/** A field for the language of the code around the caret. */
export function codeLanguage(): Plugin {
  let field: LanguageField | undefined;
  return new Plugin({
    view: (view) => (field = new LanguageField(view)),
    props: {
      handleKeyDown: (_view, { key, altKey }) => altKey && key === 'F10' && field?.focus() === true,
    },
  });
}
