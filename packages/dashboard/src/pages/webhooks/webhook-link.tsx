import { useQuery } from '@tanstack/react-query';
import { LARGEST_PAGE } from '../../api/all-pages.js';
import { dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import { AppLink } from '../../components/app-link.js';
import { shortId } from '../../components/short-id.js';
import { webhookName } from './webhook-name.js';

/** Links to a webhook by its name. */
export function WebhookLink({ webhookId }: { webhookId: string }) {
  const { id, api, may } = useAccount();
  const webhooks = useQuery({
    queryKey: [id, 'webhooks', 'names'],
    queryFn: () => {
      const query = { limit: LARGEST_PAGE };
      return dataOf(api.GET('/v1/webhooks', { params: { query } }));
    },
    enabled: may('webhooks:read'),
    staleTime: 60_000,
  });
  const webhook = webhooks.data?.find((one) => one.id === webhookId);
  return (
    <AppLink
      to="/{-$accountId}/webhooks/$webhookId"
      params={{ webhookId }}
      search={{}}
      title={webhookId}
    >
      {webhook ? webhookName(webhook) : shortId(webhookId)}
    </AppLink>
  );
}
