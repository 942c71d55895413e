import { Button, Menu } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { bodyOf } from '../../../api/client.js';
import { usePublishing } from '../../../api/publishing.js';
import { useAccount } from '../../../api/session.js';
import { FilterChip } from '../../../components/filter-chips.js';
import classes from '../../../components/filters.module.css';
import { Icon } from '../../../components/icons.js';
import { formatCount } from '../../../components/numbers.js';
import { useRovingFocus } from '../../../components/roving-focus.js';
import { useSearchState } from '../../../search-state.js';
import { statusName, typeName } from '../document-types.js';
import { queryOf, type DocumentFilters } from '../list-query.js';
import own from './list.module.css';

/** Filters with values, by URL parameter. The last one may have many values. */
const FILTERS = [
  ['status', 'Status', statusName],
  ['type', 'Type', typeName],
  ['department', 'Department', String],
  ['project', 'Project', String],
  ['tag', 'Tag', String],
] as const;

/** Documents that readers do not get as they are now. */
const UNPUBLISHED = 'Unpublished changes';

/** The active filters, each with a button that removes it, and the menu that adds one. */
export function FilterChips({ filters }: { filters: DocumentFilters }) {
  const [state, change] = useSearchState();
  const roving = useRovingFocus<HTMLDivElement>();
  const set = FILTERS.filter(([key]) => filters[key] !== undefined);
  return (
    <div className={classes.chips} role="toolbar" aria-label="Filters" {...roving}>
      {set.map(([key, title, nameOf]) => {
        const name = `${title}: ${nameOf(state[key] ?? '')}`;
        return (
          <FilterChip
            key={key}
            name={name}
            onRemove={() => {
              change({ [key]: undefined });
            }}
          />
        );
      })}
      {filters.unpublishedChanges && (
        <FilterChip
          name={UNPUBLISHED}
          onRemove={() => {
            change({ unpublishedChanges: undefined });
          }}
        />
      )}
      <AddFilter filters={filters} />
      {(set.length > 0 || filters.unpublishedChanges) && (
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => {
            const names = [...FILTERS.map(([key]) => key), 'unpublishedChanges'];
            change(Object.fromEntries(names.map((name) => [name, undefined])));
          }}
        >
          Clear filters
        </Button>
      )}
    </div>
  );
}

/** A menu of the values in the listed documents, each with its number of documents. */
function AddFilter({ filters }: { filters: DocumentFilters }) {
  const { id: accountId, api } = useAccount();
  const [state, change] = useSearchState();
  const [isOpen, setOpen] = useState(false);
  const facets = useQuery({
    queryKey: [accountId, 'documents', 'list', 'facets', filters],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/v1/documents/facets', { params: { query: queryOf(filters) }, signal })),
    placeholderData: keepPreviousData,
    enabled: isOpen,
  });
  const publishing = usePublishing({ enabled: isOpen });
  const { data, meta } = facets.data ?? {};
  const menu = useRef<HTMLDivElement>(null);
  const isLoaded = data !== undefined && !publishing.isPending;
  const isPublishing = publishing.data?.enabled === true && filters.deleted !== true;
  const isUnpublished = filters.unpublishedChanges === 'true';
  useEffect(() => {
    // The menu opens before it has items.
    if (isOpen && isLoaded) menu.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus();
  }, [isOpen, isLoaded]);
  const shown = isLoaded ? FILTERS.filter(([key]) => data[key].length > 0) : [];
  return (
    <Menu position="bottom-start" opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={<Icon name="filter" size={14} />}>
          Add filter
        </Button>
      </Menu.Target>
      <Menu.Dropdown ref={menu} aria-label="Add filter" className={own.menu ?? ''}>
        {shown.length === 0 && (
          <Menu.Item disabled>{isLoaded ? 'No values to filter by' : 'Loading…'}</Menu.Item>
        )}
        {shown.map(([key, title, nameOf]) => (
          <div key={key} role="group" aria-label={title}>
            <Menu.Label>{title}</Menu.Label>
            {data?.[key].map(({ value, count }) => {
              const isSet = state[key] === value;
              return (
                <Menu.Item
                  key={value}
                  aria-current={isSet}
                  leftSection={isSet ? <Icon name="check" size={14} /> : undefined}
                  rightSection={<span className={own.count}>{formatCount(count)}</span>}
                  onClick={() => {
                    change({ [key]: isSet ? undefined : value });
                  }}
                >
                  {nameOf(value)}
                </Menu.Item>
              );
            })}
            {key === 'status' && isPublishing && (
              <Menu.Item
                aria-current={isUnpublished}
                leftSection={isUnpublished ? <Icon name="check" size={14} /> : undefined}
                onClick={() => {
                  change({ unpublishedChanges: isUnpublished ? undefined : 'true' });
                }}
              >
                {UNPUBLISHED}
              </Menu.Item>
            )}
          </div>
        ))}
        {meta?.totalIsLowerBound === true && (
          <Menu.Label>Counts include the newest 20,000 documents.</Menu.Label>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
