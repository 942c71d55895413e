import { Badge } from '@mantine/core';

/** Shows the host that vouches for the name of a connected app. Null: nobody does. */
export function AppHost({ host }: { host: string | null }) {
  if (host !== null) return host;
  return (
    <Badge color="orange" title="The app chose its name itself, and nobody has verified it.">
      Unverified
    </Badge>
  );
}
