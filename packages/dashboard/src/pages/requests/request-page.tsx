import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { dataOf } from '../../api/client.js';
import { apiUrl } from '../../api/api-url.js';
import { curlCommand } from '../../api/curl.js';
import { asFailure, type Failure } from '../../api/failure.js';
import { useMemberNames } from '../../api/members.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import type { components } from '../../api/v1-schema.js';
import { AppLink } from '../../components/app-link.js';
import { CodeBlock } from '../../components/code-block.js';
import { Copyable } from '../../components/copyable.js';
import { CopyButton } from '../../components/copy-button.js';
import { Facts } from '../../components/facts.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { formatDuration } from '../../components/numbers.js';
import { Page, Section } from '../../components/page.js';
import { LoadingLines } from '../../components/page-loading.js';
import { Time } from '../../components/time.js';
import { KeyName } from './key-name.js';
import { RequestChanges } from './request-changes.js';
import { RequestErrorSection } from './request-error.js';
import { StatusBadge } from './status-badge.js';

type Request = components['schemas']['Request'];

const REQUEST_ID = /^req_[0-9a-z]{26}$/;

/** Interval for loading a request that is not logged yet, in ms. */
const WRITTEN_SOON = 1_500;

export function RequestPage() {
  const { id: accountId, api } = useAccount();
  const { requestId = '' } = useParams({ strict: false });
  const request = useQuery({
    queryKey: [accountId, 'requests', requestId],
    queryFn: () => dataOf(api.GET('/v1/requests/{id}', { params: { path: { id: requestId } } })),
    refetchInterval: ((query: never) =>
      isPending((query as { state: { error: unknown } }).state.error)
        ? WRITTEN_SOON
        : every(false)(query)) as never,
  });
  const { data, error } = request;
  const isMissing = error !== null && asFailure(error).status === 404;
  return (
    <Page
      title="Request"
      sentence={<Copyable name="request ID" text={requestId} />}
      actions={
        data &&
        canBeSentWithKey(data) && <CopyButton name="Send again as curl" text={curlOf(data)} />
      }
    >
      {data ? (
        <RequestSections request={data} />
      ) : isMissing ? (
        <NotKept failure={asFailure(error)} hasChanges={REQUEST_ID.test(requestId)} />
      ) : error ? (
        <FailureAlert error={error} onRetry={() => void request.refetch()} />
      ) : (
        <LoadingLines rows={8} height={24} />
      )}
      {(data ?? (isMissing && REQUEST_ID.test(requestId))) && (
        <RequestChanges requestId={requestId} />
      )}
    </Page>
  );
}

function isPending(error: unknown): boolean {
  return error !== null && asFailure(error).details.reason === 'pending';
}

/** Without key and body, which are not logged. */
function curlOf({ method, path }: Request): string {
  const hasBody = ['POST', 'PUT', 'PATCH'].includes(method);
  return curlCommand({ method, url: apiUrl(path), ...(hasBody && { body: '{}' }) });
}

/** The dashboard's own routes accept no key. */
function canBeSentWithKey({ path }: Request): boolean {
  return path.startsWith('/v1/');
}

function RequestSections({ request }: { request: Request }) {
  const { method, route, path, status, durationMs, keyId, userId } = request;
  const names = useMemberNames();
  return (
    <>
      <Section title={`${method} ${path}`}>
        <Facts
          of={[
            ['Status', <StatusBadge key="status" status={status} />],
            ['Time', <Time key="time" at={request.createdAt} />],
            ['Duration', formatDuration(durationMs)],
            [
              'Route',
              <AppLink key="route" to="/{-$accountId}/requests" search={{ route } as never}>
                {route}
              </AppLink>,
            ],
            ['Key', <KeyName key="key" id={keyId} />],
            ['Made by', names.get(userId) ?? userId],
            ['Address', request.clientAddress ?? 'unknown'],
            ['User agent', request.userAgent],
          ]}
        />
      </Section>
      {request.error && <RequestErrorSection error={request.error} />}
      {canBeSentWithKey(request) && (
        <Section title="Send again">
          <Stack gap="xs">
            <Text size="sm">
              Set API_KEY to your key
              {['POST', 'PUT', 'PATCH'].includes(method) && ' and replace {} with the request body'}
              . The log stores neither.
            </Text>
            <CodeBlock name="Send again as curl" text={curlOf(request)} />
          </Stack>
        </Section>
      )}
    </>
  );
}

/** Shows the service's explanation why the log does not contain the request. */
function NotKept({ failure, hasChanges }: { failure: Failure; hasChanges: boolean }) {
  return (
    <Section title="Not in the log">
      <Stack gap="xs">
        <Text size="sm">{failure.message}</Text>
        {hasChanges && <Text size="sm">Changes from this request are below.</Text>}
        <AppLink to="/{-$accountId}/requests" size="sm">
          All requests
        </AppLink>
      </Stack>
    </Section>
  );
}
