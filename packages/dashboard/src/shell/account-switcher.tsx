import { Button, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useContext } from 'react';
import { AccountContext, useSession } from '../api/session.js';
import { Icon } from '../components/icons.js';
import classes from './account-switcher.module.css';

/** Shows the account of the page, with a menu of the others if there are any. */
export function AccountSwitcher() {
  const { accounts } = useSession();
  const current = useContext(AccountContext);
  const navigate = useNavigate();
  if (!current || accounts.length < 2) {
    return <span className={classes.name}>{current?.name}</span>;
  }
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button
          variant="subtle"
          size="xs"
          color="gray"
          rightSection={<Icon name="down" size={14} />}
          className={classes.name}
          aria-label={`${current.name}: switch account`}
        >
          {current.name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {accounts.map(({ id, name, role }) => (
          <Menu.Item
            key={id}
            onClick={() => {
              void navigate({ to: '/{-$accountId}/overview', params: { accountId: id } });
            }}
          >
            {name} ({role})
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
