import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearchState } from '../search-state.js';

interface AddressTabsProps {
  /** What the tabs divide, for those who do not see it. */
  label: string;
  /** Name in the address bar. */
  name: string;
  /** The first is the one without a value in the address bar, unless `initial` names another. */
  tabs: readonly { value: string; title: ReactNode; panel: () => ReactNode }[];
  initial?: string;
  /** Whether the list behind stays at its page: true of tabs in a panel. */
  keepsPage?: boolean;
}

/** Tabs of which the address bar says which is open. Only that one is there. */
export function AddressTabs(props: AddressTabsProps) {
  const { label, name, tabs, initial = tabs[0]?.value, keepsPage = false } = props;
  const [state, change] = useSearchState();
  const asked = state[name];
  const open = tabs.some(({ value }) => value === asked) ? asked : initial;
  return (
    <Tabs
      value={open ?? null}
      keepMounted={false}
      onChange={(value) => {
        const chosen = value === initial ? undefined : (value ?? undefined);
        change({ [name]: chosen, ...(keepsPage && { open: state.open }) });
      }}
    >
      <Tabs.List aria-label={label} mb="md">
        {tabs.map(({ value, title }) => (
          <Tabs.Tab key={value} value={value}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ value, panel }) => (
        <Tabs.Panel key={value} value={value}>
          {value === open && panel()}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
