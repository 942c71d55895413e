import { useNotifications } from '@mantine/notifications';
import { lazy, Suspense, useEffect, useState } from 'react';
import { loadPart } from '../load-part.js';

const load = () => loadPart(() => import('./toasts.js'));
const Toasts = lazy(load);

/** The area for messages. Its code loads on the first interaction with the page. */
export function MessageArea() {
  const { notifications } = useNotifications();
  const [isNeeded, setNeeded] = useState(false);
  if (notifications.length > 0 && !isNeeded) setNeeded(true);
  useEffect(() => {
    const events = ['pointerdown', 'keydown'] as const;
    const begin = () => {
      for (const event of events) window.removeEventListener(event, begin);
      void load();
    };
    for (const event of events) window.addEventListener(event, begin);
    return () => {
      for (const event of events) window.removeEventListener(event, begin);
    };
  }, []);
  if (!isNeeded) return null;
  return (
    <Suspense fallback={null}>
      <Toasts />
    </Suspense>
  );
}
