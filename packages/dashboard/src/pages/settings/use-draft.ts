import { useCallback, useEffect, useState } from 'react';

const PREFIX = 'document-service-draft:';

/**
 * Text that is being edited, stored in this tab so that an expired session, a reload or a wrong click do not lose it.
 * `clear` removes it.
 */
export function useDraft(name: string, initial: string) {
  const key = PREFIX + name;
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? initial);
  useEffect(() => {
    if (text === initial) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  }, [key, text, initial]);
  const clear = useCallback(() => {
    setText(initial);
    sessionStorage.removeItem(key);
  }, [key, initial]);
  return { text, setText, clear, isChanged: text !== initial };
}
