import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type SubmitEvent } from 'react';
import { dataOf } from '../../api/client.js';
import { useKeyOptions } from '../../api/keys.js';
import { useAccount } from '../../api/session.js';
import { FilterChips, type ChipFilter } from '../../components/filter-chips.js';
import { Icon } from '../../components/icons.js';
import { FILTERS } from './request-query.js';
import classes from './requests.module.css';

const STATUSES = [
  ['2xx', '2xx: success'],
  ['3xx', '3xx: redirect or not modified'],
  ['4xx', '4xx: client error, including 429'],
  ['429', '429: too many requests'],
  ['5xx', '5xx: server error'],
  ['4xx,5xx', '4xx and 5xx: all errors'],
] as const;

const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'].map(
  (method) => [method, method] as const,
);

const SOURCES = [
  ['api', 'API keys'],
  ['dashboard', 'Dashboard, failed requests only'],
] as const;

const PRESETS = [
  { label: 'All', filters: Object.fromEntries(FILTERS.map((name) => [name, undefined])) },
  { label: 'Errors', filters: { status: '4xx,5xx' } },
  { label: 'Server errors', filters: { status: '5xx' } },
  { label: 'Rate limited', filters: { status: '429' } },
];

const KEY_ID = /^key_[0-9a-z]{26}$/;
const ADDRESS = /^(?:\d+(?:\.\d+){3}|(?=.*:)[0-9A-Fa-f:.]+)$/;

export function RequestFilters() {
  const filters: readonly ChipFilter[] = [
    { name: 'status', label: 'Status', options: STATUSES },
    { name: 'route', label: 'Route', options: useRoutes() },
    { name: 'method', label: 'Method', options: METHODS },
    useKeyFilter(),
    { name: 'source', label: 'Source', options: SOURCES },
    {
      name: 'address',
      label: 'Address',
      placeholder: '192.0.2.7',
      accepts: (text) => ADDRESS.test(text),
    },
  ];
  return (
    <FilterChips
      label="Requests"
      filters={filters}
      time={{ after: 'since', before: 'until' }}
      presets={PRESETS}
    >
      <LookUp />
    </FilterChips>
  );
}

/** Returns the routes of the last 30 days. */
function useRoutes() {
  const { id, api } = useAccount();
  const routes = useQuery({
    queryKey: [id, 'usage-series', 'routes'],
    queryFn: () => {
      const query = { metric: 'requests', step: 'day', by: 'route' } as const;
      return dataOf(api.GET('/v1/usage/series', { params: { query } }));
    },
    staleTime: 60_000,
  });
  const known = (routes.data?.groups ?? []).filter((name) => name.startsWith('/'));
  return known.toSorted().map((name) => [name, name] as const);
}

/** Offers the names of keys if the person may see them. Otherwise the ID is typed. */
function useKeyFilter(): ChipFilter {
  const { may } = useAccount();
  const options = useKeyOptions();
  const filter = { name: 'keyId', label: 'Key' };
  if (may('keys:read')) return { ...filter, options };
  return {
    ...filter,
    placeholder: 'key_01kam3k0v5e0rbk1y2c9q4w7zt',
    accepts: (text) => KEY_ID.test(text),
  };
}

/** Opens a request by the ID from a response. */
function LookUp() {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const requestId = typed.trim();
  const open = (event: SubmitEvent) => {
    event.preventDefault();
    if (requestId === '') return;
    void navigate({ to: '/{-$accountId}/requests/$requestId', params: { requestId } });
  };
  return (
    <form className={classes.lookUp} onSubmit={open}>
      <TextInput
        aria-label="Request ID"
        placeholder="Open a request by its ID: req_…"
        leftSection={<Icon name="search" size={16} />}
        value={typed}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
        }}
      />
      <button type="submit" className="visually-hidden">
        Look up
      </button>
    </form>
  );
}
