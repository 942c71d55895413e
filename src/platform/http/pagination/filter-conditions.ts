/** A SQL condition on `item` for each filter of a list, given the placeholder of its value. */
export type FilterConditions<Filter> = Readonly<Record<keyof Filter, (value: string) => string>>;

/**
 * Returns the conditions for the filters that are set, with placeholders from `firstPlaceholder` on, and their values.
 * Also returns a short name for the combination, for the name of a prepared statement.
 */
export function filterConditions<Filter extends object>(
  known: FilterConditions<Filter>,
  filter: Filter,
  firstPlaceholder: number,
) {
  const names = Object.keys(known) as (keyof Filter)[];
  const given = names.filter((name) => filter[name] !== undefined);
  return {
    name: given.map((name) => names.indexOf(name)).join('.'),
    conditions: given.map((name, index) => known[name](`$${String(index + firstPlaceholder)}`)),
    values: given.map((name) => filter[name]),
  };
}
