import { TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type SubmitEvent } from 'react';
import { dataOf } from '../../api/client.js';
import { useKeyOptions } from '../../api/keys.js';
import { useAccount } from '../../api/session.js';
import {
  ClearFilters,
  FilterBar,
  SelectFilter,
  TextFilter,
  withChosen,
} from '../../components/filters.js';
import { TimeFilter } from '../../components/time-filter.js';
import { useSearchState } from '../../search-state.js';
import { FILTERS } from './request-query.js';

const STATUSES = [
  ['2xx', '2xx: success'],
  ['3xx', '3xx: redirect or not modified'],
  ['4xx', '4xx: client error, including 429'],
  ['429', '429: too many requests'],
  ['5xx', '5xx: server error'],
] as const;

const SOURCES = [
  ['api', 'API keys'],
  ['dashboard', 'Dashboard, failed requests only'],
] as const;

const KEY_ID = /^key_[0-9a-z]{26}$/;
const ADDRESS = /^(?:\d+(?:\.\d+){3}|(?=.*:)[0-9A-Fa-f:.]+)$/;

const isKeyId = (text: string) => KEY_ID.test(text);
const isAddress = (text: string) => ADDRESS.test(text);

export function RequestFilters() {
  const [state] = useSearchState();
  const active = FILTERS.filter((name) => state[name] !== undefined).length;
  return (
    <FilterBar label="Requests" active={active}>
      <SelectFilter label="Status" name="status" options={withChosen(STATUSES, state.status)} />
      <RouteFilter />
      <SelectFilter label="Source" name="source" options={SOURCES} />
      <KeyFilter />
      <TextFilter label="Address" name="address" placeholder="192.0.2.7" accepts={isAddress} />
      <TimeFilter label="From" name="since" />
      <TimeFilter label="Until" name="until" />
      <ClearFilters names={FILTERS} />
      <LookUp />
    </FilterBar>
  );
}

/** Routes of the last 30 days. */
function RouteFilter() {
  const { id, api } = useAccount();
  const [{ route }] = useSearchState();
  const routes = useQuery({
    queryKey: [id, 'usage-series', 'routes'],
    queryFn: () => {
      const query = { metric: 'requests', step: 'day', by: 'route' } as const;
      return dataOf(api.GET('/v1/usage/series', { params: { query } }));
    },
    staleTime: 60_000,
  });
  const known = (routes.data?.groups ?? []).filter((name) => name.startsWith('/'));
  const options = known.toSorted().map((name) => [name, name] as const);
  return <SelectFilter label="Route" name="route" options={withChosen(options, route)} />;
}

/** Names if the person may see the keys, otherwise IDs. */
function KeyFilter() {
  const { may } = useAccount();
  const [{ keyId }] = useSearchState();
  const keys = useKeyOptions();
  if (!may('keys:read')) {
    return <TextFilter label="Key" name="keyId" placeholder="key_…" accepts={isKeyId} />;
  }
  return <SelectFilter label="Key" name="keyId" options={withChosen(keys, keyId)} />;
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
    <form onSubmit={open}>
      <TextInput
        label="Request ID"
        placeholder="req_…"
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
