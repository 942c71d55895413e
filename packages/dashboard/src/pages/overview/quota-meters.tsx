import type { ReactNode } from 'react';
import { useAccount } from '../../api/session.js';
import type { components } from '../../api/v1-schema.js';
import { AppLink } from '../../components/app-link.js';
import { Meter } from '../../components/meter.js';
import { formatCount } from '../../components/numbers.js';
import { Section } from '../../components/page.js';
import { formatQuota, QUOTA_NAMES, QUOTAS, type Quota } from '../../components/quotas.js';
import classes from './overview.module.css';

type Quotas = components['schemas']['Quotas'];

/** What the account has beside what its plan allows. */
export function QuotaMeters({ quotas }: { quotas: Quotas }) {
  const { may } = useAccount();
  const links: Partial<Record<Quota, ReactNode>> = {
    documents: <TrashLink inTrash={quotas.documents.inTrash} />,
    webhooks: <AppLink to="/{-$accountId}/webhooks">View webhooks</AppLink>,
    keys: may('keys:read') && <AppLink to="/{-$accountId}/keys">View keys</AppLink>,
    members: <AppLink to="/{-$accountId}/members">View members</AppLink>,
  };
  return (
    <Section title="Quotas">
      <div className={classes.meters}>
        {QUOTAS.map((quota) => (
          <Meter
            key={quota}
            name={QUOTA_NAMES[quota]}
            used={quotas[quota].used}
            limit={quotas[quota].limit}
            format={(amount) => formatQuota(quota, amount)}
            hint={links[quota]}
          />
        ))}
      </div>
    </Section>
  );
}

function TrashLink({ inTrash }: { inTrash: number }) {
  return (
    <>
      <AppLink to="/{-$accountId}/documents">View documents</AppLink>
      {inTrash > 0 && `, with ${formatCount(inTrash)} in the trash`}
    </>
  );
}
