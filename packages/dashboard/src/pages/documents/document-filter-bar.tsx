import { Button, NativeSelect } from '@mantine/core';
import { SelectFilter, TextFilter } from '../../components/filters.js';
import { useSearchState } from '../../search-state.js';
import { STATUSES, TYPES } from './document-types.js';
import { BEST_MATCH, isFiltered, SORTS, sortOf, type DocumentFilters } from './list-query.js';

/** What the list of documents is narrowed and sorted by. */
export function DocumentFilterBar({ filters }: { filters: DocumentFilters }) {
  const [state, change] = useSearchState();
  const sorts = filters.q === undefined ? SORTS : [BEST_MATCH, ...SORTS];
  const { name } = sortOf(state, filters);
  return (
    <>
      <TextFilter label="Search" name="q" search placeholder="Words, “exact phrase”, -exclude" />
      <SelectFilter label="Status" name="status" options={STATUSES} />
      <SelectFilter label="Type" name="type" options={TYPES} />
      <TextFilter label="Tag" name="tag" />
      <NativeSelect
        label="Sort by"
        data={sorts.map(([value, , , label]) => ({ value, label }))}
        value={name}
        onChange={({ currentTarget }) => {
          change({ sort: currentTarget.value === sorts[0][0] ? undefined : currentTarget.value });
        }}
      />
      {isFiltered(filters) && (
        <Button
          variant="subtle"
          onClick={() => {
            change({
              q: undefined,
              status: undefined,
              type: undefined,
              tag: undefined,
              department: undefined,
              project: undefined,
            });
          }}
        >
          Clear
        </Button>
      )}
    </>
  );
}
