import { Badge } from '@mantine/core';

/** Shows the status of a response. */
export function StatusBadge({ status }: { status: number }) {
  return <Badge color={colorOf(status)}>{status}</Badge>;
}

function colorOf(status: number): string {
  if (status >= 500) return 'red';
  if (status >= 400) return 'orange';
  return status >= 300 ? 'blue' : 'green';
}
