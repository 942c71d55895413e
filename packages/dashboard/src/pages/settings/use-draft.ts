import { useCallback, useEffect, useState } from 'react';

const PREFIX = 'document-service-draft:';

/**
 * Text that is being written, kept in this tab beside the page: a session that ends meanwhile, a reload or a wrong click do
 * not lose it. `clear` forgets it.
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
