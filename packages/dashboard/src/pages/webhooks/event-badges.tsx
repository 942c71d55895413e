import { Badge, Group } from '@mantine/core';

/** The events that a webhook listens to. */
export function EventBadges({ events }: { events: readonly string[] }) {
  return (
    <Group gap={4}>
      {events.map((event) => (
        <Badge key={event} tt="none" color="gray" miw="max-content">
          {event}
        </Badge>
      ))}
    </Group>
  );
}
