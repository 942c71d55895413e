import { useEffect, useState } from 'react';
import { isFocusLost } from './focus-lost.js';

/** Where the focus was before the dialog that is open, or before the first where one followed the other. */
let lastOutside: HTMLElement | undefined;

/**
 * Gives the focus back, when what was opened goes, to where it was before; of an item of a menu, which has gone itself,
 * to the button of the menu. For dialogs that are mounted when they open: Mantine's own way sees only those that stay.
 */
export function useReturnFocus(): void {
  const [opener] = useState(openerNow);
  useEffect(
    () => () => {
      setTimeout(() => {
        if (!isFocusLost()) return;
        (opener?.isConnected === true ? opener : lastOutside)?.focus();
      });
    },
    [opener],
  );
}

/** A dialog that took the place of another was opened by what has gone with that: the one before counts. */
function openerNow(): HTMLElement | undefined {
  const found = focusable(activeElementInside(document.activeElement));
  if (!found || found === document.body) return undefined;
  if (!document.activeElement?.closest('[role="dialog"]')) lastOutside = found;
  return found;
}

/** The editor is in a shadow root: the document only names the element around it, which takes no focus itself. */
function activeElementInside(element: Element | null): Element | null {
  return element?.shadowRoot?.activeElement ?? element;
}

function focusable(element: Element | null): HTMLElement | undefined {
  const menu = element?.closest('[role="menu"]');
  const button = menu ? document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`) : null;
  const found = button ?? element;
  return found instanceof HTMLElement ? found : undefined;
}
