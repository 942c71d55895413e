import { createSearch, excerptOf, search } from './search-core.js';

/** Makes the search box of the page work: results while typing, arrows, Enter and Escape. */
export async function setUpSearchBox(form, base) {
  const input = form.querySelector('input');
  const panel = form.querySelector('.search-panel');
  const list = form.querySelector('[role=listbox]');
  const status = form.querySelector('[role=status]');
  const index = await fetch(`${base}search-index.json`)
    .then((response) => response.json())
    .then(createSearch)
    .catch(() => undefined);
  let active = -1;

  const close = () => {
    panel.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
    active = -1;
  };
  const activate = (at) => {
    const options = [...list.children];
    active = options.length === 0 ? -1 : (at + options.length) % options.length;
    for (const [number, option] of options.entries())
      option.setAttribute('aria-selected', String(number === active));
    if (active === -1) return;
    input.setAttribute('aria-activedescendant', options[active].id);
    options[active].scrollIntoView({ block: 'nearest' });
  };
  const open = (option, isNewTab) => {
    if (!option) return;
    close();
    if (isNewTab) window.open(option.dataset.url);
    else location.assign(option.dataset.url);
  };
  const show = () => {
    const query = input.value.trim();
    if (query === '') {
      close();
      return;
    }
    const results = index ? search(index, query) : [];
    list.replaceChildren(...results.map(optionOf));
    status.textContent = statusOf(index, results.length, query);
    panel.hidden = false;
    input.setAttribute('aria-expanded', String(results.length > 0));
    activate(0);
  };

  input.addEventListener('input', show);
  input.addEventListener('focus', show);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      if (panel.hidden) input.blur();
      close();
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      activate(active + (event.key === 'ArrowDown' ? 1 : -1));
    } else if (event.key === 'Enter') {
      open(list.children[active], event.ctrlKey || event.metaKey);
    } else return;
    event.preventDefault();
  });
  document.addEventListener('pointerdown', ({ target }) => {
    if (!form.contains(target)) close();
  });
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget && !form.contains(relatedTarget)) close();
  });
  list.addEventListener('click', (event) => {
    const option = event.target.closest('[role=option]');
    if (option) open(option, event.ctrlKey || event.metaKey);
  });
  show();
}

function statusOf(index, count, query) {
  if (!index) return 'The search could not be loaded. Reload the page to try again.';
  if (count === 0) return `Nothing matches “${query}”. Try fewer or other words.`;
  return count === 1 ? '1 page' : `${count} pages`;
}

/** An option contains no link: assistive technology would not read it. */
function optionOf({ url, section, title, heading, description, text, terms }, number) {
  const option = document.createElement('li');
  option.id = `search-result-${number}`;
  option.dataset.url = url;
  option.setAttribute('role', 'option');
  const name = heading ? `${title} › ${heading}` : title;
  option.append(
    part('small', [[section, false]]),
    part('strong', excerptOf(name, terms, 200)),
    part('span', excerptOf((heading ? '' : description) || text, terms)),
  );
  return option;
}

function part(tag, pieces) {
  const element = document.createElement(tag);
  for (const [text, isMatch] of pieces) {
    const piece = document.createElement(isMatch ? 'mark' : 'span');
    piece.textContent = text;
    element.append(piece);
  }
  return element;
}
