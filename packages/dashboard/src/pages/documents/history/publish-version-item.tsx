import { Menu } from '@mantine/core';
import { useAllowance } from '../../../components/use-allowance.js';
import { useDialogs } from '../../../components/use-dialogs.js';
import type { Document } from '../document-types.js';

interface PublishVersionItemProps {
  document: Document;
  number: number;
}

/** Menu item that asks before readers get another version. */
export function PublishVersionItem({ document, number }: PublishVersionItemProps) {
  const dialogs = useDialogs();
  const allowance = useAllowance('documents:write');
  const isArchived = document.status === 'archived';
  return (
    <Menu.Item
      disabled={isArchived || document.published?.version === number}
      title={isArchived ? 'Return the document to draft first.' : ''}
      onClick={() => {
        dialogs.open('publish', String(number));
      }}
      {...allowance}
    >
      Publish this version
    </Menu.Item>
  );
}
