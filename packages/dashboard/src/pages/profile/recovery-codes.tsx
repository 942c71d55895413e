import { Text } from '@mantine/core';
import type { CloseDialog } from '../../components/dialog.js';
import { ShownOnce } from '../../components/shown-once.js';

/** Recovery codes for signing in without the authenticator app. */
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
        Use a recovery code if you lose your authenticator app. Each code works once.
      </Text>
    </ShownOnce>
  );
}
