import { Text } from '@mantine/core';
import type { CloseDialog } from '../../components/dialog.js';
import { ShownOnce } from '../../components/shown-once.js';

interface SigningSecretProps {
  title: string;
  secret: string;
  onClose: CloseDialog;
}

/** Shows the secret of a webhook, which the service returns only once. */
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
        Use this secret to verify signatures. The Settings tab shows examples in Node, Python and
        Go.
      </Text>
    </ShownOnce>
  );
}
