import { useQuery } from '@tanstack/react-query';
import { allPages, LARGEST_PAGE } from '../../api/all-pages.js';
import { bodyOf, dataOf } from '../../api/client.js';
import { useKeys } from '../../api/keys.js';
import { every } from '../../api/queries.js';
import { useAccount } from '../../api/session.js';
import { AppLink } from '../../components/app-link.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { Icon } from '../../components/icons.js';
import { Section } from '../../components/page.js';
import { useNow } from '../../components/time.js';
import { concernsOfKeys, concernsOfWebhooks, type Concern } from './attention.js';
import classes from './overview.module.css';
import { OVERVIEW_INTERVAL } from './usage-series.js';

const DAY_MS = 86_400_000;
/** Maximum of all plans. */
const MOST_WEBHOOKS = 1_000;

/** Webhooks that are disabled or failing, and keys that expire soon or are unused. */
export function NeedsAttention() {
  const { id, api } = useAccount();
  const now = useNow();
  const keys = useKeys();
  const webhooks = useQuery({
    queryKey: [id, 'webhooks', 'concerns'],
    queryFn: async () => {
      const since = new Date(Date.now() - DAY_MS).toISOString();
      const newest = (status: 'failed' | 'pending') =>
        dataOf(
          api.GET('/v1/deliveries', { params: { query: { status, since, limit: LARGEST_PAGE } } }),
        );
      const [all, failed, pending] = await Promise.all([
        allPages(
          (cursor) =>
            bodyOf(api.GET('/v1/webhooks', { params: { query: { cursor, limit: LARGEST_PAGE } } })),
          { most: MOST_WEBHOOKS },
        ),
        newest('failed'),
        newest('pending'),
      ]);
      return concernsOfWebhooks(all, [...failed, ...pending]);
    },
    refetchInterval: every(OVERVIEW_INTERVAL) as never,
  });
  const error = webhooks.error ?? keys.error;
  const concerns = [...(webhooks.data ?? []), ...concernsOfKeys(keys.data ?? [], now)];
  if (concerns.length > 0) {
    return (
      <Section title="Needs attention">
        <Concerns concerns={concerns} />
      </Section>
    );
  }
  if (error) return <FailureAlert error={error} onRetry={() => void webhooks.refetch()} />;
  const isKnown = !webhooks.isPending && !keys.isLoading;
  return (
    <p className={classes.none} role="status">
      {isKnown && (
        <>
          <Icon name="check" /> Nothing needs attention.
        </>
      )}
    </p>
  );
}

function Concerns({ concerns }: { concerns: readonly Concern[] }) {
  return (
    <ul className={classes.concerns} aria-label="Needs attention">
      {concerns.map((concern) => (
        <li key={concern.id} data-severity={concern.severity}>
          <Icon name="alert" />
          <span>
            <ConcernLink {...concern} /> {concern.text}
            {/[.!?]$/.test(concern.text) ? '' : '.'}
          </span>
        </li>
      ))}
    </ul>
  );
}

function ConcernLink({ about, id, name }: Concern) {
  if (about === 'key') {
    return (
      <>
        Key{' '}
        <AppLink td="underline" to="/{-$accountId}/keys" search={{ open: id } as never}>
          {name}
        </AppLink>
      </>
    );
  }
  return (
    <>
      Webhook{' '}
      <AppLink td="underline" to="/{-$accountId}/webhooks/$webhookId" params={{ webhookId: id }}>
        {name}
      </AppLink>
    </>
  );
}
