import {
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  openSearchPanel,
  replaceAll,
  replaceNext,
  search,
  SearchQuery,
  setSearchQuery,
} from '@codemirror/search';
import type { Extension } from '@codemirror/state';
import { EditorView, keymap, runScopeHandlers, type Command, type Panel } from '@codemirror/view';
import { elementOf, iconOf } from './elements.js';

/** Maximum number of matches to count. Counting more would slow down typing. */
const MOST_COUNTED = 1_000;
/** Pause after an edit before matches are counted again, in ms. */
const COUNT_AFTER = 200;

const ICONS = {
  previous: 'M6 15l6-6 6 6',
  next: 'M6 9l6 6 6-6',
  close: 'M6 6l12 12M18 6L6 18',
} as const;

/** Returns the number of matches, and which one is selected, or 0. */
export function countMatches(view: Pick<EditorView, 'state'>, query: SearchQuery) {
  const { from, to } = view.state.selection.main;
  let count = 0;
  let current = 0;
  if (!query.valid) return { count, current };
  const cursor = query.getCursor(view.state);
  for (let step = cursor.next(); !step.done && count <= MOST_COUNTED; step = cursor.next()) {
    count += 1;
    if (step.value.from === from && step.value.to === to) current = count;
  }
  return { count, current };
}

function sentenceOf(
  { count, current }: ReturnType<typeof countMatches>,
  query: SearchQuery,
): string {
  if (query.search === '') return '';
  if (!query.valid) return 'Invalid expression';
  if (count === 0) return 'No results';
  const all = count > MOST_COUNTED ? `${MOST_COUNTED.toLocaleString('en')}+` : String(count);
  return current === 0 ? `${all} found` : `${String(current)} of ${all}`;
}

function textField(name: string, label: string): HTMLInputElement {
  return elementOf('input', {
    name,
    type: 'text',
    placeholder: label,
    'aria-label': label,
    autocomplete: 'off',
    spellcheck: 'false',
  });
}

function toggle(label: string, text: string): HTMLButtonElement {
  const attributes = { type: 'button', 'aria-label': label, title: label, class: 'cm-find-option' };
  return elementOf('button', attributes, text);
}

function findPanel(view: EditorView): Panel {
  const find = textField('find', 'Find');
  find.setAttribute('main-field', 'true');
  const replace = textField('replace', 'Replace with');
  const count = elementOf('span', { class: 'cm-find-count', role: 'status' });
  const options = {
    caseSensitive: toggle('Match case', 'Aa'),
    wholeWord: toggle('Whole word', 'W'),
    regexp: toggle('Regular expression', '.*'),
  };
  const button = (label: string, run: Command, icon?: string) => {
    const made = elementOf('button', { type: 'button' }, icon === undefined ? label : iconOf(icon));
    if (icon !== undefined) {
      made.setAttribute('aria-label', label);
      made.title = label;
    }
    made.addEventListener('click', () => {
      run(view);
    });
    return made;
  };
  const replaceRow = elementOf(
    'div',
    { class: 'cm-find-row', 'data-row': 'replace' },
    replace,
    button('Replace', replaceNext),
    button('Replace all', replaceAll),
  );
  const dom = elementOf(
    'div',
    { class: 'cm-find', role: 'search', 'aria-label': 'Find and replace' },
    elementOf(
      'div',
      { class: 'cm-find-row' },
      find,
      ...Object.values(options),
      button('Previous match', findPrevious, ICONS.previous),
      button('Next match', findNext, ICONS.next),
      count,
      button('Close', closeSearchPanel, ICONS.close),
    ),
    replaceRow,
  );
  let timer: ReturnType<typeof setTimeout> | undefined;
  const isOn = (option: keyof typeof options) =>
    options[option].getAttribute('aria-pressed') === 'true';
  const recount = () => {
    const query = getSearchQuery(view.state);
    count.textContent = sentenceOf(countMatches(view, query), query);
    find.toggleAttribute('aria-invalid', query.search !== '' && !query.valid);
  };
  const show = (query: SearchQuery) => {
    if (find.value !== query.search) find.value = query.search;
    if (replace.value !== query.replace) replace.value = query.replace;
    for (const [option, one] of Object.entries(options)) {
      one.setAttribute('aria-pressed', String(query[option as keyof typeof options]));
    }
    recount();
  };
  const commit = () => {
    const query = new SearchQuery({
      search: find.value,
      replace: replace.value,
      caseSensitive: isOn('caseSensitive'),
      wholeWord: isOn('wholeWord'),
      regexp: isOn('regexp'),
      // Backslashes are literal, except in regular expressions.
      literal: !isOn('regexp'),
    });
    if (!query.eq(getSearchQuery(view.state))) {
      view.dispatch({ effects: setSearchQuery.of(query) });
    }
  };
  for (const one of Object.values(options)) {
    one.addEventListener('click', () => {
      one.setAttribute('aria-pressed', String(one.getAttribute('aria-pressed') !== 'true'));
      commit();
    });
  }
  dom.addEventListener('input', commit);
  dom.addEventListener('keydown', (event) => {
    if (runScopeHandlers(view, event, 'search-panel')) event.preventDefault();
    else if (event.key === 'Enter' && event.target === find) {
      event.preventDefault();
      (event.shiftKey ? findPrevious : findNext)(view);
    } else if (event.key === 'Enter' && event.target === replace) {
      event.preventDefault();
      replaceNext(view);
    }
  });
  replaceRow.hidden = true;
  return {
    dom,
    top: true,
    mount: () => {
      show(getSearchQuery(view.state));
      find.select();
    },
    update: ({ transactions, docChanged, selectionSet }) => {
      for (const { effects } of transactions) {
        for (const effect of effects) if (effect.is(setSearchQuery)) show(effect.value);
      }
      if (!docChanged && !selectionSet) return;
      clearTimeout(timer);
      timer = setTimeout(recount, COUNT_AFTER);
    },
    destroy: () => {
      clearTimeout(timer);
    },
  };
}

const openFind: Command = (view) => {
  openSearchPanel(view);
  return true;
};

/** Opens the panel with its second row. */
const openReplace: Command = (view) => {
  openSearchPanel(view);
  const row = view.dom.querySelector<HTMLElement>('[data-row="replace"]');
  if (!row || view.state.readOnly) return true;
  row.hidden = false;
  const { search: searched } = getSearchQuery(view.state);
  if (searched !== '') row.querySelector('input')?.focus();
  return true;
};

const scope = 'editor search-panel';

/** Finds and replaces in a panel above the text. */
export const findAndReplace: Extension = [
  search({ top: true, createPanel: findPanel }),
  keymap.of([
    { key: 'Mod-f', run: openFind, scope },
    { key: 'Mod-Alt-f', run: openReplace, scope },
    { key: 'F3', run: findNext, shift: findPrevious, scope, preventDefault: true },
    { key: 'Mod-g', run: findNext, shift: findPrevious, scope, preventDefault: true },
    { key: 'Escape', run: closeSearchPanel, scope },
  ]),
];
