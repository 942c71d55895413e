import { Badge, Button, createTheme, Menu } from '@mantine/core';

/** Mantine defaults that the content security policy and WCAG AA require. The variables are in theme.css. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: 8,
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // In a narrow cell a badge would be cut, not the cell made wider.
    Badge: Badge.extend({
      defaultProps: { variant: 'outline', radius: 'sm', miw: 'max-content' },
    }),
    // A name in it may be long.
    Button: Button.extend({ defaultProps: { maw: '100%' } }),
    // The placeholder is a focusable element inside of the menu that is no menu item.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false, withinPortal: true } }),
  },
});
