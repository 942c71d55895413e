import { useEffect } from 'react';
import { isMac } from '../components/key-names.js';

/**
 * Calls `onPress` for the keys of the command palette: Ctrl+K and Ctrl+Shift+K, and in the editor, where Ctrl+K edits
 * a link, also Ctrl+P. Elsewhere Ctrl+P prints.
 */
export function usePaletteKeys(onPress: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, shiftKey, defaultPrevented } = event;
      // The editor prevents the default of the keys that it handles.
      if (defaultPrevented || altKey || ctrlKey === isMac || metaKey !== isMac) return;
      const letter = key.toLowerCase();
      if (letter !== 'k' && !(letter === 'p' && !shiftKey && isInEditor(event))) return;
      event.preventDefault();
      onPress();
    };
    document.addEventListener('keydown', listen);
    return () => {
      document.removeEventListener('keydown', listen);
    };
  }, [onPress]);
}

/** The event's path contains the text even if it is in a shadow root. */
function isInEditor(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return target instanceof HTMLElement && target.isContentEditable;
}
