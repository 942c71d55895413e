import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import {
  endSuspicion,
  isOutageSuspected,
  serviceResponds,
  subscribeToSuspicion,
} from '../api/outage.js';
import classes from './outage-banner.module.css';

/** Interval for checking whether the service is available again, in ms. */
const RETRY_INTERVAL = 3_000;

/** Reports once for the whole page that the service does not respond, and reloads what failed when it does. */
export function OutageBanner() {
  const [isUnavailable, setUnavailable] = useState(false);
  const queryClient = useQueryClient();
  const router = useRouter();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let asking = false;
    let stopped = false;
    const ask = async () => {
      const back = await serviceResponds();
      if (stopped) return;
      if (!back) {
        setUnavailable(true);
        timer = setTimeout(() => void ask(), RETRY_INTERVAL);
        return;
      }
      // Runs before the suspicion ends, because a request that just failed may raise it again.
      asking = false;
      setUnavailable(false);
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
  if (!isUnavailable) return null;
  return (
    <div role="status" className={classes.banner}>
      Can't reach the server. Reconnecting…
    </div>
  );
}
