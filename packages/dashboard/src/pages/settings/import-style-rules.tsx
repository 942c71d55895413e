import { Button, FileButton, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../api/client.js';
import { useAccount } from '../../api/session.js';
import type { components } from '../../api/v1-schema.js';
import { Dialog } from '../../components/dialog.js';
import { Icon } from '../../components/icons.js';
import { showDone, showFailure } from '../../components/messages.js';
import { countOf } from '../../components/numbers.js';
import { useSearchState } from '../../search-state.js';
import classes from './settings.module.css';

type Imported = components['schemas']['ImportedStyleRules'];

interface ImportStyleRulesProps {
  disabled: boolean;
  whyNot: string | undefined;
}

/** Creates a version from the `.yml` files of a Vale style. */
export function ImportStyleRules({ disabled, whyNot }: ImportStyleRulesProps) {
  const { id, api } = useAccount();
  const queryClient = useQueryClient();
  const [, change] = useSearchState();
  const [imported, setImported] = useState<Imported>();
  const send = useMutation({
    mutationFn: async (files: readonly File[]) => {
      const read = files.map(async (file) => ({
        path: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath,
        content: await file.text(),
      }));
      const body = { files: await Promise.all(read) };
      return dataOf(api.POST('/v1/style-rules/import', { body }));
    },
    onSuccess: async (result) => {
      showDone(
        `Version ${String(result.version)} created with ${countOf(result.rules.length, 'rule')}.`,
      );
      setImported(result);
      await queryClient.invalidateQueries({ queryKey: [id, 'style-rules'] });
      change({ open: String(result.version), edit: undefined });
    },
    onError: showFailure,
  });
  const skipped = imported?.skipped ?? [];
  return (
    <>
      <FileButton
        multiple
        accept=".yml,.yaml"
        disabled={disabled}
        onChange={(files) => {
          if (files.length > 0) send.mutate(files);
        }}
      >
        {(props) => (
          <Button
            {...props}
            variant="default"
            disabled={disabled}
            title={whyNot ?? 'Vale style files (.yml)'}
            loading={send.isPending}
            leftSection={<Icon name="upload" size={16} />}
          >
            Import Vale style
          </Button>
        )}
      </FileButton>
      {skipped.length > 0 && (
        <Dialog
          title="Not imported"
          size="lg"
          onClose={() => {
            setImported(undefined);
          }}
        >
          <Stack>
            <Text size="sm">These rules aren't supported. All other rules are imported.</Text>
            <ul className={classes.examples}>
              {skipped.map(({ path, reason }) => (
                <li key={`${path} ${reason}`}>
                  <Text size="sm">
                    <code>{path}</code>: {reason}
                  </Text>
                </li>
              ))}
            </ul>
          </Stack>
        </Dialog>
      )}
    </>
  );
}
