const root = document.documentElement;

/** Remembers a choice across pages. Does nothing if the browser blocks storage. */
function store(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // The choice holds for this page.
  }
}

function element(tag, attributes, text = '') {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, value);
  created.textContent = text;
  return created;
}

/** Shows the address of the service that serves this page in place of the one of the sources. */
function setUpAddress() {
  if (root.dataset.served === undefined || location.pathname.startsWith('/docs/contribute')) return;
  const texts = document.createTreeWalker(
    document.getElementById('site-content'),
    globalThis.NodeFilter.SHOW_TEXT,
  );
  while (texts.nextNode())
    texts.currentNode.data = texts.currentNode.data.replaceAll(
      'http://localhost:3000',
      location.origin,
    );
}

function setUpTheme() {
  const button = document.querySelector('.theme-button');
  const label = button.querySelector('span');
  const system = matchMedia('(prefers-color-scheme: dark)');
  const isDark = () => (root.dataset.theme ?? (system.matches ? 'dark' : 'light')) === 'dark';
  const show = () => {
    label.textContent = isDark() ? 'Use the light theme' : 'Use the dark theme';
  };
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    store('docs-theme', root.dataset.theme);
    show();
  });
  system.addEventListener('change', show);
  show();
}

function setUpMenu() {
  const button = document.querySelector('.menu-button');
  const navigation = document.querySelector('.navigation');
  /** Scrolls only the navigation: `scrollIntoView` could move the page too. */
  const showCurrent = () => {
    const current = navigation.querySelector('[aria-current=page]');
    if (current?.offsetTop + current?.offsetHeight > navigation.clientHeight)
      navigation.scrollTop = current.offsetTop - navigation.clientHeight / 2;
  };
  const setOpen = (isOpen) => {
    button.setAttribute('aria-expanded', String(isOpen));
    root.toggleAttribute('data-menu', isOpen);
    if (isOpen) showCurrent();
  };
  button.addEventListener('click', () => setOpen(!root.hasAttribute('data-menu')));
  document.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || !root.hasAttribute('data-menu')) return;
    setOpen(false);
    button.focus();
  });
  showCurrent();
}

/** Adds a button to each block that people paste somewhere. */
function setUpCopying() {
  for (const block of document.querySelectorAll('.code:not(.is-output)')) {
    const button = element('button', { type: 'button', class: 'copy' }, 'Copy');
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(block.querySelector('code').textContent);
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 2_000);
    });
    block.append(button);
  }
}

/** Styles show the chosen language of each group; this adds the tabs to choose it. */
function setUpTabs() {
  const groups = [...document.querySelectorAll('.tabs')].map(tabsOf);
  const choose = (language) => {
    root.dataset.language = language;
    for (const show of groups) show();
  };
  function tabsOf(group, number) {
    const panels = [...group.querySelectorAll('.tab')];
    const list = element('div', { role: 'tablist', 'aria-label': 'Language' });
    const tabs = panels.map((panel) => {
      const language = panel.dataset.tab;
      const id = `tab-${number}-${language}`;
      const name = panel.querySelector('.tab-name').textContent;
      const tab = element('button', { type: 'button', role: 'tab', id }, name);
      panel.id = `panel-${number}-${language}`;
      panel.setAttribute('role', 'tabpanel');
      panel.setAttribute('aria-labelledby', id);
      tab.setAttribute('aria-controls', panel.id);
      tab.addEventListener('click', () => {
        const top = tab.getBoundingClientRect().top;
        choose(language);
        store('docs-language', language);
        // Other groups above may have changed their height.
        scrollBy({ top: tab.getBoundingClientRect().top - top, behavior: 'instant' });
      });
      return tab;
    });
    list.addEventListener('keydown', (event) => {
      const at = tabs.indexOf(document.activeElement);
      const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
      if (to === undefined) return;
      const next = tabs.at(to % tabs.length);
      next.focus();
      next.click();
      event.preventDefault();
    });
    list.append(...tabs);
    group.prepend(list);
    return () => {
      const at = panels.findIndex(({ dataset }) => dataset.tab === root.dataset.language);
      for (const [index, tab] of tabs.entries()) {
        const isChosen = index === Math.max(at, 0);
        tab.setAttribute('aria-selected', String(isChosen));
        tab.tabIndex = isChosen ? 0 : -1;
      }
    };
  }
  choose(root.dataset.language);
}

/** What scrolls sideways must be reachable by keyboard. */
function setUpScrollers() {
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
      else target.removeAttribute('tabindex');
    }
  });
  for (const box of document.querySelectorAll('.code pre, .table-box')) observer.observe(box);
}

/** Marks the section that is being read in the list of contents. */
function setUpContents() {
  const links = [...document.querySelectorAll('.contents a')];
  const targets = links.map(({ hash }) =>
    document.getElementById(decodeURIComponent(hash.slice(1))),
  );
  let isScheduled = false;
  const mark = () => {
    isScheduled = false;
    const at = targets.findLastIndex((target) => target?.getBoundingClientRect().top < 120);
    for (const [index, link] of links.entries())
      link.toggleAttribute('data-current', index === Math.max(at, 0));
  };
  const schedule = () => {
    if (!isScheduled) requestAnimationFrame(mark);
    isScheduled = true;
  };
  if (links.length === 0) return;
  addEventListener('scroll', schedule, { passive: true });
  mark();
}

/** The search loads when somebody is about to use it. */
function setUpSearch() {
  const input = document.getElementById('site-search');
  const form = input.form;
  let loaded;
  const load = () => {
    loaded ??= import('./search.js').then(({ setUpSearchBox }) =>
      setUpSearchBox(form, root.dataset.base),
    );
  };
  input.addEventListener('focus', load, { once: true });
  form.addEventListener('submit', (event) => event.preventDefault());
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest('input, textarea, select, [contenteditable]');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
}

/** Loads what sends the form of an operation's page. */
async function setUpTry() {
  const form = document.querySelector('.try form');
  if (form) (await import('./try.js')).setUpTry(form);
}

/** A site with several versions has a list of them: `[{ "version": "1.4", "url": "/1.4/" }]`. */
async function setUpVersions() {
  if (!root.dataset.versions) return;
  const response = await fetch(root.dataset.versions);
  if (!response.ok) return;
  const shown = document.querySelector('.version');
  const select = element('select', { class: 'version', 'aria-label': 'Version' });
  for (const { version, url } of await response.json())
    select.append(
      element(
        'option',
        { value: url, ...(url === root.dataset.base && { selected: '' }) },
        version,
      ),
    );
  select.addEventListener('change', () => location.assign(select.value));
  shown.replaceWith(select);
}

root.dataset.script = '';
setUpAddress();
setUpTheme();
setUpMenu();
setUpTabs();
setUpCopying();
setUpScrollers();
setUpContents();
setUpSearch();
void setUpTry();
void setUpVersions();
