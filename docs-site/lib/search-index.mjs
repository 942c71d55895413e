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
