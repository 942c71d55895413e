/** Characters of a section that are indexed and shown. The first sentences say what it is about. */
const TEXT_LENGTH = 400;

/** Returns what the search of the page needs: the pages for users and their sections, with the beginning of their text. */
export function searchIndexOf(navigation, sectionsOf, urlOf) {
  const pages = navigation
    .filter(({ isForContributors }) => !isForContributors)
    .flatMap(({ title, pages: own }) =>
      own.map((page) => [
        urlOf(page),
        page.title,
        page.group === undefined ? title : `${title} · ${page.group}`,
        page.description,
        page.keywords,
        page.isListedOnly ? [['', '', '']] : sectionsOf(page),
      ]),
    );
  return { pages };
}

/** Returns a page's sections `[id, heading, text]`, as the search stores them, from its Markdown tokens. */
export function textSectionsOf(tokens) {
  const sections = [['', '', '']];
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open' && /^h[23]$/.test(token.tag))
      sections.push([token.attrGet('id'), wordsOf(tokens[index + 1]), '']);
    else if (token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open') {
      const last = sections.at(-1);
      last[2] = `${last[2]} ${wordsOf(token)}`.trim();
    }
  }
  return sections.map(([id, heading, text]) => [id, heading, shortened(text)]);
}

function wordsOf({ children }) {
  return children
    .map(({ type, content }) => {
      if (type === 'text' || type === 'code_inline') return content;
      return type === 'softbreak' ? ' ' : '';
    })
    .join('')
    .trim();
}

function shortened(text) {
  if (text.length <= TEXT_LENGTH) return text;
  return text.slice(0, text.lastIndexOf(' ', TEXT_LENGTH));
}
