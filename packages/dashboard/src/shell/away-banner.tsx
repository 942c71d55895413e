import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
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
  const [isAway, setAway] = useState(false);
  const queryClient = useQueryClient();
  const router = useRouter();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let asking = false;
    let stopped = false;
    const ask = async () => {
      const back = await serviceAnswers();
      if (stopped) return;
      if (!back) {
        setAway(true);
        timer = setTimeout(() => void ask(), ASK_EVERY);
        return;
      }
      // Before the suspicion ends: it may come up again at once, by a request that failed last.
      asking = false;
      setAway(false);
      endSuspicion();
      const failed = queryClient.invalidateQueries({
        predicate: ({ state }) => state.error !== null,
      });
      await Promise.all([failed, router.invalidate()]);
    };
    const begin = () => {
      if (asking || !isOutageSuspected()) return;
      asking = true;
      void ask();
    };
    const unsubscribe = subscribeToSuspicion(begin);
    begin();
    return () => {
      stopped = true;
      clearTimeout(timer);
      unsubscribe();
    };
  }, [queryClient, router]);
  if (!isAway) return null;
  return (
    <div role="status" className={classes.banner}>
      Can't reach the server. Reconnecting…
    </div>
  );
}
