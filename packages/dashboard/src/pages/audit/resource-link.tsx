import { useQuery } from '@tanstack/react-query';
import { LARGEST_PAGE } from '../../api/all-pages.js';
import { dataOf } from '../../api/client.js';
import { useKeys } from '../../api/keys.js';
import { useMemberNames } from '../../api/members.js';
import { useAccount } from '../../api/session.js';
import type { components } from '../../api/v1-schema.js';
import { AppLink } from '../../components/app-link.js';
import { DocumentLink } from '../../components/document-link.js';
import { shortId } from '../../components/short-id.js';
import { capitalized } from '../../components/words.js';
import { WebhookLink } from '../webhooks/webhook-link.js';

type Resource = components['schemas']['AuditedResource'];

/** Shows the resource of an entry by its name, as a link if it has a page. */
export function ResourceLink({ type, id }: Resource) {
  if (id === null) return capitalized(type);
  switch (type) {
    case 'document':
      return <DocumentLink documentId={id} />;
    case 'template':
      return <TemplateLink id={id} />;
    case 'webhook':
      return <WebhookLink webhookId={id} />;
    case 'key':
      return <KeyLink id={id} />;
    case 'user':
      return <UserName id={id} />;
    case 'account':
      return <AccountName id={id} />;
    case 'job':
      return (
        <AppLink to="/{-$accountId}/jobs" search={{ open: id } as never} title={id}>
          {`Job ${shortId(id)}`}
        </AppLink>
      );
    case 'release':
      return (
        <AppLink to="/{-$accountId}/releases" search={{ open: id } as never} title={id}>
          {`Release ${shortId(id)}`}
        </AppLink>
      );
    default:
      return <span title={id}>{`${capitalized(type)} ${shortId(id)}`}</span>;
  }
}

interface NameProps {
  id: string;
}

function TemplateLink({ id }: NameProps) {
  const { id: accountId, api, may } = useAccount();
  const templates = useQuery({
    queryKey: [accountId, 'templates', 'names'],
    queryFn: () => {
      const query = { limit: LARGEST_PAGE };
      return dataOf(api.GET('/v1/templates', { params: { query } }));
    },
    enabled: may('templates:read'),
    staleTime: 60_000,
  });
  const name = templates.data?.find((template) => template.id === id)?.name;
  return (
    <AppLink to="/{-$accountId}/templates/$templateId" params={{ templateId: id }} title={id}>
      {name ?? `Template ${shortId(id)}`}
    </AppLink>
  );
}

function KeyLink({ id }: NameProps) {
  const name = useKeys().data?.find((key) => key.id === id)?.name;
  return (
    <AppLink to="/{-$accountId}/keys" search={{ open: id } as never} title={id}>
      {name ?? `Key ${shortId(id)}`}
    </AppLink>
  );
}

function UserName({ id }: NameProps) {
  const name = useMemberNames().get(id);
  return <span title={id}>{name ?? `Former member ${shortId(id)}`}</span>;
}

function AccountName({ id }: NameProps) {
  const account = useAccount();
  return <span title={id}>{account.id === id ? account.name : 'Account'}</span>;
}
