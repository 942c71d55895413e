import { Avatar } from '../../shell/avatar.js';
import { senderOf, type ProposalItem } from './proposal.js';
import classes from './proposals.module.css';

/** The key or the person that sent a proposal. */
export function Sender({ of }: { of: Pick<ProposalItem, 'proposal' | 'createdBy'> }) {
  const { id, name } = senderOf(of);
  return (
    <span
      className={classes.sender}
      title={of.proposal?.key ? `API key of ${of.createdBy.name}` : undefined}
    >
      <Avatar id={id} name={name} kind="person" />
      <bdi>{name}</bdi>
    </span>
  );
}
