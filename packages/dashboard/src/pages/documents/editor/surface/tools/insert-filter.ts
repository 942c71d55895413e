export interface Searchable {
  name: string;
  /** Other words for it, separated by spaces. */
  keywords: string;
}

/**
 * Returns the items that match a query, best first: those whose name starts with it, then those with a word that does,
 * then those that contain it.
 */
export function filterItems<Item extends Searchable>(
  items: readonly Item[],
  query: string,
): readonly Item[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return query === '' ? items : [];
  const rankOf = ({ name, keywords }: Item): number => {
    const title = name.toLowerCase();
    const words = `${title} ${keywords}`.split(' ');
    if (title.startsWith(wanted) || title.replaceAll(' ', '').startsWith(wanted)) return 0;
    if (words.some((word) => word.startsWith(wanted))) return 1;
    return title.includes(wanted) ? 2 : 3;
  };
  return items
    .map((item) => ({ item, rank: rankOf(item) }))
    .filter(({ rank }) => rank < 3)
    .sort((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
}
