import type { components } from '../../api/v1-schema.js';
import { formatCount } from '../../components/numbers.js';

/** A proposal as lists show it. */
export type ProposalItem = components['schemas']['EnhancementItem'];

type Sent = Pick<ProposalItem, 'proposal' | 'createdBy'>;

/** Returns the key that sent a proposal, or otherwise the person. */
export function senderOf({ proposal, createdBy }: Sent): { id: string; name: string } {
  return proposal?.key ?? createdBy;
}

/** Returns the numbers of changes: "2 open, 1 accepted". */
export function countsText({ open, accepted, rejected, stale }: ProposalItem['suggestionCounts']) {
  const parts = [
    [open, 'open'],
    [accepted, 'accepted'],
    [rejected, 'rejected'],
    [stale, 'outdated'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, state]) => `${formatCount(count)} ${state}`)
    .join(', ');
}
