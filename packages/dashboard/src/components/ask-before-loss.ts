import { useBlocker, useRouter, type ShouldBlockFn } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { watchInput } from '../unsaved-input.js';

type Navigation = Parameters<ShouldBlockFn>[0];

interface Options {
  isUnsaved: () => boolean;
  /** Returns whether a navigation would lose input. */
  isLosing: (navigation: Navigation) => boolean;
  /** Called before a blocked navigation is repeated. */
  onLeave?: () => void;
}

/**
 * Blocks navigation and reloads that would lose input. Then `leave` repeats the navigation, and `stay` drops it. `ask`
 * asks before something else that loses input. While the question is open, the URL stays that of the page.
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
