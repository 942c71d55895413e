import { Group, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { bodyOf } from '../../api/client.js';
import { apiUrl } from '../../api/api-url.js';
import { curlCommand } from '../../api/curl.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import type { components } from '../../api/v1-schema.js';
import { AppLink } from '../../components/app-link.js';
import { CodeBlock } from '../../components/code-block.js';
import { CopyButton } from '../../components/copy-button.js';
import { DataTable, type Column } from '../../components/data-table.js';
import { countOf, formatDuration } from '../../components/numbers.js';
import { Page } from '../../components/page.js';
import { CursorPager } from '../../components/pager.js';
import { Time } from '../../components/time.js';
import { useSearchState } from '../../search-state.js';
import { KeyName } from './key-name.js';
import { LastHour } from './last-hour.js';
import { RequestFilters } from './request-filters.js';
import { FILTERS, notKeptSentence, requestsQuery } from './request-query.js';
import { StatusBadge } from './status-badge.js';

type Request = components['schemas']['Request'];

const COLUMNS: readonly Column<Request>[] = [
  {
    title: 'Request',
    kind: 'main',
    cell: ({ id, method, path }) => (
      <AppLink to="/{-$accountId}/requests/$requestId" params={{ requestId: id }} title={path}>
        {method} {path}
      </AppLink>
    ),
  },
  { title: 'Status', cell: ({ status }) => <StatusBadge status={status} />, kind: 'narrow' },
  { title: 'Time', cell: ({ createdAt }) => <Time at={createdAt} />, kind: 'narrow' },
  { title: 'Duration', cell: ({ durationMs }) => formatDuration(durationMs), kind: 'number' },
  { title: 'Key', cell: ({ keyId }) => <KeyName id={keyId} />, kind: 'narrow' },
  {
    title: 'Address',
    cell: ({ clientAddress }) => clientAddress ?? 'Unknown',
    kind: 'narrow',
    wideOnly: 'desktop',
  },
];

export function RequestsPage() {
  const { id, api } = useAccount();
  const [state] = useSearchState();
  const query = requestsQuery(state);
  const requests = useQuery({
    queryKey: [id, 'requests', query],
    queryFn: () => bodyOf(api.GET('/v1/requests', { params: { query } })),
    // Older pages do not change.
    refetchInterval: every(state.cursor === undefined ? 5_000 : false) as never,
    placeholderData: keepPreviousData,
  });
  const { data, meta } = requests.data ?? {};
  const isFiltered = FILTERS.some((name) => state[name] !== undefined);
  const notKept = notKeptSentence(meta?.requestLog);
  return (
    <Page title="Requests" sentence="API requests with keys, and failed requests of the dashboard.">
      <LastHour />
      <RequestFilters />
      <DataTable
        name="Requests"
        columns={COLUMNS}
        rows={requests.error ? undefined : data}
        idOf={(request) => request.id}
        nameOf={({ method, path }) => `${method} ${path}`}
        error={requests.error}
        onRetry={() => void requests.refetch()}
        empty={isFiltered ? NO_MATCH : NONE_YET}
      />
      <CursorPager pagination={meta?.pagination} />
      <Text size="sm" c="dimmed" mt="sm">
        {meta && meta.pagination.total > 0 && `${countOf(meta.pagination.total, 'request')}. `}
        {meta?.requestLog &&
          meta.requestLog.days > 0 &&
          `Requests are kept for ${countOf(meta.requestLog.days, 'day')}. `}
        {notKept}
      </Text>
    </Page>
  );
}

const FIRST_REQUEST = curlCommand({ url: apiUrl('/v1/usage') });

const NO_MATCH = {
  sentence: 'No requests match these filters. Remove a filter or choose a longer time.',
  isFiltered: true,
};

const NONE_YET = {
  sentence:
    'No requests yet. Each request with a key appears here with its status and duration. Set API_KEY to your key, then run:',
  action: (
    <Group justify="center">
      <CodeBlock name="A request" text={FIRST_REQUEST} />
      <CopyButton name="Copy curl" text={FIRST_REQUEST} />
    </Group>
  ),
};
