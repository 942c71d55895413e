import { Text } from '@mantine/core';
import type { CloseDialog } from '../../components/dialog.js';
import { ShownOnce } from '../../components/shown-once.js';

/** The codes that sign somebody in who has lost the phone. */
export function RecoveryCodes({
  codes,
  onClose,
}: {
  codes: readonly string[];
  onClose: CloseDialog;
}) {
  return (
    <ShownOnce
      title="Recovery codes"
      label="Recovery codes"
      value={codes.join('\n')}
      copy="Copy codes"
      onClose={onClose}
    >
      <Text size="sm">
        Each of them works once in place of a code of your app: for the day on which you have lost
        it.
      </Text>
    </ShownOnce>
  );
}
