import { Badge } from '@mantine/core';
import { statusName, type DocumentStatus } from './document-types.js';

const COLORS: Readonly<Record<DocumentStatus, string>> = {
  draft: 'gray',
  in_review: 'yellow',
  published: 'green',
  archived: 'gray',
};

export function StatusBadge({ status }: { status: DocumentStatus }) {
  return (
    <Badge color={COLORS[status]} tt="none" miw="max-content">
      {statusName(status)}
    </Badge>
  );
}
