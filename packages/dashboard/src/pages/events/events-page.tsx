import { Badge, Button } from '@mantine/core';
import { useState } from 'react';
import { EVENT_NAMES } from '../../api/event-types.js';
import { AppLink } from '../../components/app-link.js';
import { ButtonLink } from '../../components/button-link.js';
import { DataTable, type Column } from '../../components/data-table.js';
import classes from '../../components/data-table.module.css';
import { FailureAlert } from '../../components/failure-alert.js';
import { FilterChips } from '../../components/filter-chips.js';
import { formatCount } from '../../components/numbers.js';
import { Page } from '../../components/page.js';
import { Time } from '../../components/time.js';
import { useSearchState } from '../../search-state.js';
import { MAX_ROWS, type FeedSnapshot } from './event-feed.js';
import { EventActor, EventRequest, EventSubject } from './event-links.js';
import { EventPanel } from './event-panel.js';
import type { EventRow } from './event-subject.js';
import { useEventFeed } from './use-event-feed.js';

const COLUMNS: readonly Column<EventRow>[] = [
  {
    title: 'Event',
    cell: ({ id, type }) => (
      <AppLink to="." search={(state: object) => ({ ...state, open: id })} resetScroll={false}>
        {type}
      </AppLink>
    ),
    kind: 'narrow',
  },
  { title: 'Subject', cell: (row) => <EventSubject row={row} />, kind: 'main' },
  {
    title: 'Actor',
    cell: ({ actor }) => <EventActor actor={actor} />,
    kind: 'narrow',
    wideOnly: true,
  },
  {
    title: 'Request',
    cell: ({ requestId }) => <EventRequest requestId={requestId} />,
    kind: 'narrow',
    wideOnly: 'desktop',
  },
  { title: 'Time', cell: ({ timestamp }) => <Time at={timestamp} />, kind: 'narrow' },
];

const TYPES = EVENT_NAMES.map((name) => [name, name] as const);
const FILTERS = [{ name: 'type', label: 'Type', options: TYPES }];

/** Shows the events of the account live. */
export function EventsPage() {
  const [isOn, setOn] = useState(true);
  const feed = useEventFeed(isOn);
  const [{ type, open }, change] = useSearchState();
  const rows = feed.rows?.filter((row) => type === undefined || row.type === type);
  const retry = () => void feed.retry();
  return (
    <Page
      title="Events"
      sentence="Document and webhook events, as sent to webhooks."
      actions={
        <>
          <StreamState {...feed} isOn={isOn} />
          <Button
            variant={isOn ? 'default' : 'filled'}
            onClick={() => {
              setOn(!isOn);
            }}
          >
            {isOn ? 'Pause events' : 'Resume events'}
          </Button>
        </>
      }
    >
      <FilterChips label="Events" filters={FILTERS} />
      {feed.error !== null && rows && <FailureAlert error={feed.error} onRetry={retry} />}
      <DataTable
        name="Events"
        columns={COLUMNS}
        rows={rows}
        idOf={({ id }) => id}
        nameOf={({ type: name, id }) => `${name} ${id}`}
        error={feed.error}
        onRetry={retry}
        openId={open}
        empty={
          type === undefined
            ? {
                sentence:
                  'No recent events. When a document changes, its event appears here at once.',
                action: (
                  <ButtonLink to="/{-$accountId}/documents" search={{}} variant="default">
                    Open documents
                  </ButtonLink>
                ),
              }
            : { sentence: `No ${type} in the loaded events.`, isFiltered: true }
        }
      />
      <Foot count={feed.rows?.length ?? 0} hasOlder={feed.hasOlder} loadOlder={feed.loadOlder} />
      {open !== undefined && (
        <EventPanel
          eventId={open}
          onClose={() => {
            change({ open: undefined });
          }}
        />
      )}
    </Page>
  );
}

interface StreamStateProps extends Pick<FeedSnapshot, 'connection'> {
  isOn: boolean;
}

function StreamState({ connection, isOn }: StreamStateProps) {
  const live = connection === 'live';
  return (
    <div role="status" data-connection={connection}>
      <Badge color={live ? 'green' : 'gray'}>{wordFor({ connection, isOn })}</Badge>
    </div>
  );
}

function wordFor({ connection, isOn }: StreamStateProps): string {
  if (!isOn) return 'Paused';
  if (connection === 'closed') return 'Paused while hidden';
  if (connection === 'live') return 'Live now';
  return connection === 'broken' ? 'Reconnecting' : 'Connecting';
}

interface FootProps {
  count: number;
  hasOlder: boolean;
  loadOlder: () => Promise<void>;
}

function Foot({ count, hasOlder, loadOlder }: FootProps) {
  if (count === 0) return null;
  return (
    <div className={classes.foot}>
      <span>
        {count < MAX_ROWS
          ? `The newest ${formatCount(count)}`
          : `The newest ${formatCount(MAX_ROWS)}. Use the API for older events.`}
      </span>
      {hasOlder && (
        <Button size="xs" variant="default" onClick={() => void loadOlder()}>
          Load older events
        </Button>
      )}
    </div>
  );
}
