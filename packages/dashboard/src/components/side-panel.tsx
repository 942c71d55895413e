import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { NO_BANNER } from '../theme/no-banner.js';
import { useReturnFocus } from './return-focus.js';

interface SidePanelProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** Details of a list row, next to the list. The URL contains the open row. */
export function SidePanel({ title, onClose, children }: SidePanelProps) {
  useReturnFocus();
  return (
    <Drawer
      opened
      onClose={onClose}
      title={title}
      position="right"
      size="min(760px, 100%)"
      // Locking the scroll would add a style element, which the policy forbids.
      lockScroll={false}
      attributes={NO_BANNER}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {children}
    </Drawer>
  );
}
