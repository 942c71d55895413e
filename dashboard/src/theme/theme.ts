import { Badge, createTheme, Menu, Modal } from '@mantine/core';

/** Mantine's defaults that the content policy and WCAG AA ask for. Its variables stand in theme.css. */
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
    // Locking the scroll writes a style element, which the policy refuses.
    Modal: Modal.extend({ defaultProps: { lockScroll: false, centered: true } }),
    // The placeholder is a focusable element inside of the menu that is no menu item.
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false, withinPortal: true } }),
  },
});
