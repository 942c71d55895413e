import { useEffect, useState } from 'react';
import { isFocusLost } from './focus-lost.js';

/** The focused element before the dialog opened, or before the first one if another dialog followed it. */
let lastOutside: HTMLElement | undefined;

/**
 * Returns the focus when a dialog closes: to the element that had it, or to the button of the menu whose item opened
 * the dialog. For dialogs that are mounted when they open, which Mantine does not support.
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

/** A dialog that replaced another one was opened from it, so the element before that one counts. */
function openerNow(): HTMLElement | undefined {
  const found = focusable(activeElementInside(document.activeElement));
  if (!found || found === document.body) return undefined;
  if (!document.activeElement?.closest('[role="dialog"]')) lastOutside = found;
  return found;
}

/** The editor is in a shadow root. The document reports only its host, which cannot be focused. */
function activeElementInside(element: Element | null): Element | null {
  return element?.shadowRoot?.activeElement ?? element;
}

function focusable(element: Element | null): HTMLElement | undefined {
  const menu = element?.closest('[role="menu"]');
  const button = menu ? document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`) : null;
  const found = button ?? element;
  return found instanceof HTMLElement ? found : undefined;
}
