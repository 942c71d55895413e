import { Text } from '@mantine/core';
import type { CloseDialog } from '../../components/dialog.js';
import { ShownOnce } from '../../components/shown-once.js';

interface SigningSecretProps {
  title: string;
  secret: string;
  onClose: CloseDialog;
}

/** The secret of a webhook, which the service tells this once. */
export function SigningSecret({ title, secret, onClose }: SigningSecretProps) {
  return (
    <ShownOnce
      title={title}
      label="Signing secret"
      value={secret}
      copy="Copy secret"
      onClose={onClose}
    >
      <Text size="sm">
        The receiver checks with it that a delivery is from here. How, in Node, Python and Go,
        stands on the page of the webhook below Settings. The test receiver of the dashboard knows
        it already.
      </Text>
    </ShownOnce>
  );
}
