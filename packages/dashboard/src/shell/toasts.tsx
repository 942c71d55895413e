import '@mantine/core/styles/Notification.css';
import '@mantine/notifications/styles.css';
import { Notifications } from '@mantine/notifications';

/** Where messages appear. */
export default function Toasts() {
  return <Notifications position="bottom-right" limit={4} withinPortal />;
}
