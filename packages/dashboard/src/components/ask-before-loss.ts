import { useBlocker, useRouter, type ShouldBlockFn } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { watchInput } from '../unsaved-input.js';

type Navigation = Parameters<ShouldBlockFn>[0];

interface Options {
  isUnsaved: () => boolean;
  /** Whether a navigation would lose the input. */
  isLosing: (navigation: Navigation) => boolean;
  /** Called before a refused navigation is repeated. */
  onLeave?: () => void;
}

/**
 * Refuses navigation that would lose input, also a reload. Then `leave` does what was refused, and `stay` forgets it. `ask`
 * sets it for other ways out. While a question is open, the address stays that of the page.
 */
export function useAskBeforeLoss({ isUnsaved, isLosing, onLeave }: Options) {
  const router = useRouter();
  const [leave, setLeave] = useState<() => void>();
  useBlocker({
    shouldBlockFn: (navigation) => {
      if (!isLosing(navigation) || !isUnsaved()) return false;
      const { action, next } = navigation;
      setLeave(() => () => {
        onLeave?.();
        if (action === 'BACK') router.history.back({ ignoreBlocker: true });
        else {
          const { pathname: to, search } = next;
          void router.navigate({ to, search: search as never, ignoreBlocker: true });
        }
      });
      return true;
    },
    enableBeforeUnload: isUnsaved,
  });
  useEffect(() => watchInput(isUnsaved), [isUnsaved]);
  const ask = (way: () => void) => {
    setLeave(() => way);
  };
  const stay = () => {
    setLeave(undefined);
  };
  return { leave, ask, stay };
}
