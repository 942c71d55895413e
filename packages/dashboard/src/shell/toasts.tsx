import '@mantine/core/styles/Notification.layer.css';
import '@mantine/notifications/styles.layer.css';
import { Notifications } from '@mantine/notifications';

/** Shows messages. */
export default function Toasts() {
  return <Notifications position="bottom-right" limit={4} withinPortal />;
}
