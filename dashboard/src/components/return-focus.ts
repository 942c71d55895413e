import { useEffect, useState } from 'react';

/**
 * Gives the focus back, when what was opened goes, to where it was before; of an item of a menu, which has gone itself,
 * to the button of the menu. For dialogs that are mounted when they open: Mantine's own way sees only those that stay.
 */
export function useReturnFocus(): void {
  const [opener] = useState(() => focusable(document.activeElement));
  useEffect(
    () => () => {
      setTimeout(() => {
        const { activeElement, body } = document;
        if (activeElement === null || activeElement === body) opener?.focus();
      });
    },
    [opener],
  );
}

function focusable(element: Element | null): HTMLElement | undefined {
  const menu = element?.closest('[role="menu"]');
  const button = menu ? document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`) : null;
  const found = button ?? element;
  return found instanceof HTMLElement ? found : undefined;
}
