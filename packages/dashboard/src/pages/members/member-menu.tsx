import { Menu } from '@mantine/core';
import type { Member } from '../../api/people.js';
import { useAccount } from '../../api/session.js';
import { RowMenu } from '../../components/row-menu.js';
import { managesAllFolders } from '../folders/rights.js';
import { whyNotManage } from '../people/roles.js';
import classes from './member-menu.module.css';

type MemberAction = 'change-role' | 'remove' | 'leave' | 'folders';

interface MemberMenuProps {
  member: Member;
  isOnlyOwner: boolean;
  onOpen: (action: MemberAction) => void;
}

/** Why the last owner cannot be removed. */
const ONLY_OWNER = 'This is the only owner. Make someone else an owner first.';

/** The actions for a member, each with the reason if it is disabled. */
export function MemberMenu({ member, isOnlyOwner, onOpen }: MemberMenuProps) {
  const { role, may } = useAccount();
  const whyNot = isOnlyOwner ? ONLY_OWNER : whyNotManage(role, member.role);
  return (
    <RowMenu name={member.name}>
      {may('access:write') && managesAllFolders(role) && (
        <Item
          name="Folders"
          whyNot={undefined}
          onClick={() => {
            onOpen('folders');
          }}
        />
      )}
      <Item
        name="Change role"
        whyNot={whyNot}
        onClick={() => {
          onOpen('change-role');
        }}
      />
      {member.isYou ? (
        <Item
          name="Leave"
          whyNot={isOnlyOwner ? ONLY_OWNER : undefined}
          onClick={() => {
            onOpen('leave');
          }}
        />
      ) : (
        <Item
          name="Remove"
          whyNot={whyNot}
          onClick={() => {
            onOpen('remove');
          }}
        />
      )}
    </RowMenu>
  );
}

interface ItemProps {
  name: string;
  /** Shows the reason to everybody, not only as a tooltip. */
  whyNot: string | undefined;
  onClick: () => void;
}

function Item({ name, whyNot, onClick }: ItemProps) {
  return (
    <Menu.Item
      disabled={whyNot !== undefined}
      title={whyNot}
      color={name === 'Remove' || name === 'Leave' ? 'red' : undefined}
      onClick={onClick}
    >
      {name}
      {whyNot !== undefined && <small className={classes.reason}>{whyNot}</small>}
    </Menu.Item>
  );
}
