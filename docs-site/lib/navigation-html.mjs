/**
 * Returns a function that renders the navigation of a page. Most of it is the same on all pages of a section, so each
 * entry is rendered once, and the current page is marked afterwards.
 */
export function navigationRenderer(navigation, urlOf) {
  const rendered = new Map();
  return (doc) => {
    const key = `${doc.section} ${doc.group ?? ''} ${doc.path === ''}`;
    if (!rendered.has(key)) rendered.set(key, render(doc));
    return rendered
      .get(key)
      .replace(`<a href="${urlOf(doc)}">`, `<a href="${urlOf(doc)}" aria-current="page">`);
  };

  function render(doc) {
    return navigation
      .map((section, index) => {
        const isOpen = section.folder === doc.section || (doc.path === '' && index === 0);
        return `<details${isOpen ? ' open' : ''}><summary>${escape(section.title)}</summary><ul>${entriesOf(section, doc)}</ul></details>`;
      })
      .join('\n');
  }

  /** Other sections for contributors are long, so only the first of their pages is listed. */
  function entriesOf(section, doc) {
    const isCurrent = section.folder === doc.section;
    if (section.isForContributors && !isCurrent) return item(section.pages[0]);
    return section.groups
      .map(({ title, pages: [first, ...others] }) => {
        if (title === undefined) return item(first);
        const isOpen = isCurrent && title === doc.group;
        // The first page has the name of the group, or is an entry of its own below that name.
        const isOwnPage = first.title === title;
        const inner = (isOwnPage ? others : [first, ...others]).map(item).join('');
        const name = isOwnPage ? link(first) : link(first, title, ' class="group"');
        return `<li>${name}${isOpen && inner !== '' ? `<ul>${inner}</ul>` : ''}</li>`;
      })
      .join('');
  }

  function item(page) {
    return `<li>${link(page, page.path === page.section ? 'Overview' : page.title)}</li>`;
  }

  function link(page, text = page.title, attributes = '') {
    return `<a href="${urlOf(page)}"${attributes}>${escape(text)}</a>`;
  }
}

function escape(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
