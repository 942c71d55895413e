import { elementOf, iconButton, ICONS } from './elements.js';
import type { FindQuery } from './find-matches.js';

interface FindBarEvents {
  /** Called after a person changed what to find. */
  onQuery: (query: FindQuery) => void;
  onStep: (direction: 1 | -1) => void;
  onReplace: () => void;
  onReplaceAll: () => void;
  onClose: () => void;
}

function textField(name: string, label: string): HTMLInputElement {
  return elementOf('input', {
    name,
    type: 'text',
    placeholder: label,
    'aria-label': label,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
  });
}

function option(label: string, text: string): HTMLButtonElement {
  const attributes = { type: 'button', 'aria-label': label, title: label, 'aria-pressed': 'false' };
  return elementOf('button', attributes, text);
}

function textButton(label: string, onClick: () => void): HTMLButtonElement {
  const button = elementOf('button', { type: 'button' }, label);
  button.addEventListener('click', onClick);
  return button;
}

type FindAction = 'find' | 'replace' | 'next' | 'previous';

/** Returns the action of a key in the bar or the text. */
export function findAction(event: KeyboardEvent): FindAction | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
  const isMod = ctrlKey || metaKey;
  const step = shiftKey ? 'previous' : 'next';
  if (!isMod) return key === 'F3' && !altKey ? step : undefined;
  // On macOS, Alt changes the letter to `ƒ`.
  const name = `${altKey ? 'Alt+' : ''}${key.toLowerCase().replace('ƒ', 'f')}`;
  if (name === 'g') return step;
  if (shiftKey) return undefined;
  return ({ f: 'find', 'Alt+f': 'replace' } as const)[name];
}

/** A bar to find and replace text. */
export class FindBar {
  readonly dom: HTMLElement;
  private readonly find = textField('find', 'Find');
  private readonly replacement = textField('replace', 'Replace with');
  private readonly count = elementOf('span', { class: 'tools-count', role: 'status' });
  private readonly options = {
    caseSensitive: option('Match case', 'Aa'),
    wholeWord: option('Whole word', 'W'),
    regexp: option('Regular expression', '.*'),
  };
  private readonly second: HTMLElement;

  constructor(private readonly events: FindBarEvents) {
    const { find, replacement, count, options } = this;
    const icon = (label: string, path: string, title: string, onClick: () => void) => {
      const button = iconButton(label, path, title);
      button.addEventListener('click', onClick);
      return button;
    };
    const row = (field: HTMLElement, ...controls: HTMLElement[]) =>
      elementOf('div', { class: 'tools-row' }, field, elementOf('div', {}, ...controls));
    options.wholeWord.classList.add('tools-underlined');
    this.second = row(
      replacement,
      textButton('Replace', events.onReplace),
      textButton('Replace all', events.onReplaceAll),
    );
    this.second.hidden = true;
    const step = (direction: 1 | -1) => () => {
      events.onStep(direction);
    };
    this.dom = elementOf(
      'div',
      { class: 'tools-find', role: 'search', 'aria-label': 'Find and replace' },
      row(
        find,
        ...Object.values(options),
        icon('Previous match', ICONS.previous, 'Previous match (Shift+F3)', step(-1)),
        icon('Next match', ICONS.next, 'Next match (F3)', step(1)),
        count,
        icon('Close', ICONS.close, 'Close (Escape)', events.onClose),
      ),
      this.second,
    );
    for (const button of Object.values(options)) {
      button.addEventListener('click', () => {
        button.setAttribute('aria-pressed', String(!isOn(button)));
        this.report();
      });
    }
    find.addEventListener('input', this.report);
    this.dom.addEventListener('keydown', (event) => {
      this.onKey(event);
    });
  }

  /** Shows the second row, and moves the focus to a field. `text` is searched, if given. */
  focus(row: 'find' | 'replace', text?: string): void {
    if (row === 'replace') this.second.hidden = false;
    if (text !== undefined) this.find.value = text;
    const field = row === 'replace' && this.find.value !== '' ? this.replacement : this.find;
    field.focus();
    field.select();
  }

  get query(): FindQuery {
    const { find, options } = this;
    return {
      search: find.value,
      caseSensitive: isOn(options.caseSensitive),
      wholeWord: isOn(options.wholeWord),
      regexp: isOn(options.regexp),
    };
  }

  get replacedBy(): string {
    return this.replacement.value;
  }

  /** Shows the number of matches, or why nothing matches. */
  show(text: string, isValid: boolean): void {
    if (this.count.textContent !== text) this.count.textContent = text;
    this.find.setAttribute('aria-invalid', String(!isValid));
  }

  private readonly report = (): void => {
    this.events.onQuery(this.query);
  };

  private onKey(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const { events } = this;
    const action = findAction(event);
    const isEnter = event.key === 'Enter';
    if (event.key === 'Escape') events.onClose();
    else if (action === 'next') events.onStep(1);
    else if (action === 'previous') events.onStep(-1);
    else if (action) this.focus(action);
    else if (isEnter && event.target === this.find) events.onStep(event.shiftKey ? -1 : 1);
    else if (isEnter && event.target === this.replacement) events.onReplace();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

function isOn(button: HTMLElement): boolean {
  return button.getAttribute('aria-pressed') === 'true';
}
