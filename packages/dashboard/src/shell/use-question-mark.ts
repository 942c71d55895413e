import { useEffect } from 'react';

/** Calls `onPress` for the key `?`, except while typing. Ignores modifiers, because keyboard layouts differ. */
export function useQuestionMark(onPress: () => void): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== '?' || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
      if (!isTyping(event)) onPress();
    };
    document.addEventListener('keydown', listen);
    return () => {
      document.removeEventListener('keydown', listen);
    };
  }, [onPress]);
}

/** The event's path contains the field even if it is in a shadow root, as in the editor. */
function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('input:not([type=checkbox], [type=radio]), textarea, select'))
  );
}
