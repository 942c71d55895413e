import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSearchState } from '../search-state.js';

interface AddressTabsProps {
  /** Accessible name of the tabs. */
  label: string;
  /** Name of the URL parameter. */
  name: string;
  /** The first tab has no value in the URL, unless `initial` names another one. */
  tabs: readonly { value: string; title: ReactNode; panel: () => ReactNode }[];
  initial?: string;
  /** True if the list behind stays at its page, as for tabs in a panel. */
  keepsPage?: boolean;
}

/** Tabs whose open one is in the URL. Only the open one is rendered. */
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
