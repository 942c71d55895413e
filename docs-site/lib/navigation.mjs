import { SECTIONS } from '../sections.mjs';

/** Returns the sections with their pages in order. A folder's own page comes first. */
export function navigationOf(pages) {
  return SECTIONS.map(({ folder, title, isForContributors = false }) => {
    const own = pages.filter((page) => page.path !== '' && page.section === folder);
    own.sort(
      (one, other) =>
        Number(other.path === folder) - Number(one.path === folder) ||
        one.order - other.order ||
        one.title.localeCompare(other.title),
    );
    return { folder, title, isForContributors, pages: own, groups: groupsOf(own) };
  }).filter((section) => section.pages.length > 0);
}

/** Groups neighbors with the same `group`. Pages without one are entries of their own. */
function groupsOf(pages) {
  const groups = [];
  for (const page of pages) {
    const last = groups.at(-1);
    if (page.group !== undefined && last?.title === page.group) last.pages.push(page);
    else groups.push({ title: page.group, pages: [page] });
  }
  return groups;
}

/** Returns the pages before and after a page, in the order of the navigation. */
export function neighborsOf(page, navigation) {
  const pages = navigation.flatMap((section) => section.pages);
  const place = pages.indexOf(page);
  if (place === -1) return { previous: undefined, next: page.path === '' ? pages[0] : undefined };
  const isSame = (other) => other?.isForContributors === page.isForContributors;
  const [previous, next] = [pages[place - 1], pages[place + 1]].map((other) =>
    isSame(other) ? other : undefined,
  );
  return { previous, next };
}
