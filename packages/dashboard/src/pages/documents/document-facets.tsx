import { useMediaQuery } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { bodyOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import { AppLink } from '../../components/app-link.js';
import { formatCount } from '../../components/numbers.js';
import { useSearchState } from '../../search-state.js';
import classes from './documents-page.module.css';
import { statusName, typeName } from './document-types.js';
import { queryOf, type DocumentFilters } from './list-query.js';

const FACETS = [
  ['status', 'Status', statusName],
  ['type', 'Type', typeName],
  ['tag', 'Tags', String],
  ['department', 'Department', String],
  ['project', 'Project', String],
] as const;

/** Values of a facet that are listed; the API tells up to 100. */
const SHOWN_VALUES = 12;

/** How many documents there are by value, as links that narrow the list. */
export function DocumentFacets({ filters }: { filters: DocumentFilters }) {
  const { id: accountId, api } = useAccount();
  const [state] = useSearchState();
  const isWide = useMediaQuery('(min-width: 1000px)', true, { getInitialValueInEffect: false });
  const facets = useQuery({
    queryKey: [accountId, 'documents', 'list', 'facets', filters],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/v1/documents/facets', { params: { query: queryOf(filters) }, signal })),
    placeholderData: keepPreviousData,
  });
  if (!facets.data) return null;
  const { data, meta } = facets.data;
  const shown = FACETS.filter(([key]) => data[key].length > 0);
  if (shown.length === 0) return null;
  return (
    <details className={classes.facets} open={isWide}>
      <summary>Filters</summary>
      {shown.map(([key, title, nameOf]) => (
        <section key={key}>
          <h2 className={classes.facetTitle}>{title}</h2>
          <ul className={classes.facet}>
            {data[key].slice(0, SHOWN_VALUES).map(({ value, count }) => {
              const isChosen = state[key] === value;
              return (
                <li key={value}>
                  <AppLink
                    to="."
                    aria-current={isChosen ? 'true' : undefined}
                    activeProps={{ className: '' }}
                    search={
                      ((previous: object) => ({
                        ...previous,
                        [key]: isChosen ? undefined : value,
                        page: undefined,
                      })) as never
                    }
                  >
                    {nameOf(value)} <span>{formatCount(count)}</span>
                  </AppLink>
                </li>
              );
            })}
          </ul>
        </section>
      ))}
      {meta.totalIsLowerBound === true && <p>Counts include the newest 20,000 documents.</p>}
    </details>
  );
}
