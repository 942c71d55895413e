import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState, useSyncExternalStore } from 'react';
import {
  endSuspicion,
  isOutageSuspected,
  serviceAnswers,
  subscribeToSuspicion,
} from '../api/outage.js';
import classes from './away-banner.module.css';

/** Rest between two questions whether the service is back, in ms. */
const ASK_EVERY = 3_000;

/** Says once, for all of the page, that the service does not answer; and fetches what failed when it does again. */
export function AwayBanner() {
  const suspected = useSyncExternalStore(subscribeToSuspicion, isOutageSuspected);
  const [isAway, setAway] = useState(false);
  const queryClient = useQueryClient();
  const router = useRouter();
  useEffect(() => {
    if (!suspected) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stopped = false;
    const ask = async () => {
      const back = await serviceAnswers();
      if (stopped) return;
      if (back) {
        setAway(false);
        endSuspicion();
        const failed = queryClient.invalidateQueries({
          predicate: ({ state }) => state.error !== null,
        });
        await Promise.all([failed, router.invalidate()]);
        return;
      }
      setAway(true);
      timer = setTimeout(() => void ask(), ASK_EVERY);
    };
    void ask();
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [suspected, queryClient, router]);
  if (!isAway) return null;
  return (
    <div role="status" className={classes.banner}>
      The service is away. This page comes back by itself as soon as it answers.
    </div>
  );
}
