import { ActionIcon, Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from './icons.js';

interface RowMenuProps {
  /** How the row is called. */
  name: string;
  /** Items of Mantine's menu. */
  children: ReactNode;
}

/** What can be done with a row. */
export function RowMenu({ name, children }: RowMenuProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${name}`}>
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={`Actions for ${name}`}>{children}</Menu.Dropdown>
    </Menu>
  );
}
