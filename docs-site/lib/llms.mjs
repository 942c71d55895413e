/** Returns llms.txt (https://llmstxt.org): the pages for users, with links to their Markdown. */
export function llmsIndex(navigation, { base, origin = '' }) {
  const sections = navigation
    .filter(({ isForContributors }) => !isForContributors)
    .map(({ title, pages }) => `## ${title}\n\n${pages.map(line).join('\n')}\n`);
  return `${HEAD}\n${sections.join('\n')}`;

  // For a page of an operation, lists only the route.
  function line({ title, path, description, isListedOnly }) {
    const about = isListedOnly ? description.split('. ')[0] : description;
    return `- [${title}](${origin}${base}${path}.md)${about ? `: ${about}` : ''}`;
  }
}

/** Returns llms-full.txt: the text of these pages in one file, except long lists. */
export function llmsFull(navigation, { base, origin = '' }, links) {
  const texts = navigation
    .filter(({ isForContributors }) => !isForContributors)
    .flatMap(({ pages }) => pages)
    .filter(({ isListedOnly }) => !isListedOnly)
    .map((page) => {
      const text = links.portable(page.body, page).trim();
      return `<!-- ${origin}${base}${page.path}.md -->\n\n${text}\n`;
    });
  return `${HEAD}\n${texts.join('\n')}`;
}

const HEAD = `# Document Service

> A REST service that stores documents, with versions, search, templates, webhooks, text analysis and tools for language models.
`;
