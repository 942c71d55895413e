import { Button, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useContext } from 'react';
import { AccountContext, useSession } from '../api/session.js';
import { Icon } from '../components/icons.js';
import { capitalized } from '../components/words.js';
import classes from './account-switcher.module.css';
import { Avatar } from './avatar.js';

/** Shows the account of the page, with a menu of the others if there are any. */
export function AccountSwitcher() {
  const { accounts } = useSession();
  const current = useContext(AccountContext);
  const navigate = useNavigate();
  if (!current) return <span className={classes.account} />;
  const name = (
    <>
      <Avatar kind="account" id={current.id} name={current.name} />
      <span className={classes.name}>{current.name}</span>
    </>
  );
  if (accounts.length < 2) return <span className={classes.account}>{name}</span>;
  return (
    <div className={classes.account}>
      <Menu position="bottom-start">
        <Menu.Target>
          <Button
            variant="subtle"
            color="gray"
            size="sm"
            rightSection={<Icon name="down" size={14} />}
            className={classes.button ?? ''}
            aria-label={`${current.name}: switch account`}
          >
            {name}
          </Button>
        </Menu.Target>
        <Menu.Dropdown aria-label="Accounts">
          <Menu.Label>Accounts</Menu.Label>
          {accounts.map(({ id, name: other, role }) => (
            <Menu.Item
              key={id}
              aria-current={id === current.id}
              leftSection={<Avatar kind="account" id={id} name={other} />}
              rightSection={id === current.id ? <Icon name="check" size={14} /> : undefined}
              onClick={() => {
                void navigate({ to: '/{-$accountId}', params: { accountId: id } });
              }}
            >
              {other} <span className={classes.role}>{capitalized(role)}</span>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  );
}
