import { createTheme } from '@mantine/core';
import { createElement } from 'react';
import { Icon } from '../components/icons.js';

/** In ms; `--app-motion` of theme.css. */
const MOTION = { duration: 120 };

/**
 * Mantine defaults that the content security policy and WCAG AA require. The variables are in theme.css. Components are
 * only named here, because importing them would load them with every page.
 */
export const theme = createTheme({
  primaryColor: 'teal',
  primaryShade: 8,
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // In a narrow cell, Mantine would cut the badge instead of widening the cell.
    Badge: { defaultProps: { variant: 'light', radius: 'sm', miw: 'max-content' } },
    // May contain a long name.
    Button: { defaultProps: { maw: '100%' } },
    Drawer: { defaultProps: { transitionProps: MOTION } },
    // The placeholder is a focusable element inside of the menu, but no menu item.
    Menu: {
      defaultProps: {
        withInitialFocusPlaceholder: false,
        withinPortal: true,
        transitionProps: MOTION,
      },
    },
    Modal: { defaultProps: { transitionProps: MOTION } },
    NativeSelect: {
      defaultProps: { rightSection: createElement(Icon, { name: 'down', size: 14 }) },
    },
  },
});
