import { NativeSelect } from '@mantine/core';
import type { Ref } from 'react';
import { TextFilter } from '../../../components/filters.js';
import { useSearchState } from '../../../search-state.js';
import { BEST_MATCH, SORTS, sortOf, type DocumentFilters } from '../list-query.js';
import { FilterChips } from './filter-chips.js';
import classes from './list.module.css';

interface ListControlsProps {
  filters: DocumentFilters;
  ref: Ref<HTMLDivElement>;
}

/** Search, order and filters of the list of documents. */
export function ListControls({ filters, ref }: ListControlsProps) {
  const [state, change] = useSearchState();
  const sorts = filters.q === undefined ? SORTS : [BEST_MATCH, ...SORTS];
  const { name } = sortOf(state, filters);
  return (
    <div ref={ref} className={classes.controls} role="search" aria-label="Documents">
      <TextFilter
        label="Search"
        hiddenLabel
        name="q"
        search
        placeholder="Search: words, “exact phrase”, -exclude"
        className={classes.search}
      />
      <NativeSelect
        aria-label="Sort by"
        className={classes.sort ?? ''}
        data={sorts.map(([value, , , label]) => ({ value, label: `Sort by: ${label}` }))}
        value={name}
        onChange={({ currentTarget }) => {
          change({ sort: currentTarget.value === sorts[0][0] ? undefined : currentTarget.value });
        }}
      />
      <FilterChips filters={filters} />
    </div>
  );
}
