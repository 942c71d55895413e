import { ActionIcon, Menu } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Icon } from './icons.js';

/** Renders a menu inside the main landmark of the page. */
export const IN_MAIN = { target: '#main' };

interface RowMenuProps {
  /** Name of the row. */
  name: string;
  /** True next to the buttons of a page. */
  isBordered?: boolean;
  tabIndex?: number | undefined;
  /** Items of Mantine's menu. */
  children: ReactNode;
}

/** The actions of a row. */
export function RowMenu({ name, isBordered = false, tabIndex, children }: RowMenuProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Menu position="bottom-end" opened={isOpen} onChange={setOpen} portalProps={IN_MAIN}>
      <Menu.Target>
        <ActionIcon
          {...(isBordered
            ? { variant: 'default', size: 'var(--app-control-height)' }
            : { variant: 'subtle', color: 'gray' })}
          aria-label={`Actions for ${name}`}
          {...(tabIndex !== undefined && { tabIndex })}
          onKeyDown={({ key }) => {
            // Keeps the focus while all items are disabled.
            if (key === 'Escape') setOpen(false);
          }}
        >
          <Icon name="more" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={`Actions for ${name}`}>{children}</Menu.Dropdown>
    </Menu>
  );
}
