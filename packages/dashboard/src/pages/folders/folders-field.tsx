import { Button, Radio, Stack, Text } from '@mantine/core';
import { useCollections } from '../../api/collections.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { FolderChoice } from './folder-choice.js';
import { foldersOf, pathName } from './folders.js';

/** Maximum number of folders of a key or app in the API. */
const MOST = 20;

interface FoldersFieldProps {
  /** Null for all folders. */
  value: readonly string[] | null;
  onChange: (value: string[] | null) => void;
  /** Subject of the description: "The key", or the name of an app. */
  who: string;
  error: string | undefined;
}

/** Field that limits a key or app to some folders. Hidden in an account without folders. */
export function FoldersField({ value, onChange, who, error }: FoldersFieldProps) {
  const collections = useCollections();
  if (collections.error) return <FailureAlert error={collections.error} />;
  const folders = foldersOf(collections.data ?? []);
  if (folders.byId.size === 0 && value === null) return null;
  const toggle = (id: string) => {
    const chosen = value ?? [];
    onChange(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  };
  const gone = value?.filter((id) => !folders.byId.has(id)) ?? [];
  return (
    <Stack gap="sm">
      <Radio.Group
        label="Folders"
        value={value === null ? 'all' : 'some'}
        onChange={(chosen) => {
          onChange(chosen === 'all' ? null : []);
        }}
      >
        <Stack gap="xs">
          <Radio value="all" label="All folders" />
          <Radio
            value="some"
            label="Only these"
            description={`${who} can't open or find anything outside of them.`}
          />
        </Stack>
      </Radio.Group>
      {value !== null && (
        <>
          <FolderChoice
            label="Folders that it can open"
            folders={folders}
            checked={new Set(value)}
            onChange={(id) => {
              if (id !== null) toggle(id);
            }}
            whyNot={(id) =>
              id !== null && value.length >= MOST && !value.includes(id)
                ? `At most ${String(MOST)} folders.`
                : undefined
            }
          />
          <Text size="sm" c="dimmed" role="status">
            {value.length === 0
              ? 'Choose at least one folder. The folders in it are included.'
              : `Chosen: ${value.map((id) => pathName(folders, id) || 'a folder that you can’t open').join(', ')}.`}
          </Text>
          {gone.length > 0 && !collections.isPending && (
            <Button
              size="compact-sm"
              variant="subtle"
              onClick={() => {
                onChange(value.filter((id) => folders.byId.has(id)));
              }}
            >
              Remove folders that you can’t open
            </Button>
          )}
        </>
      )}
      {error !== undefined && (
        <Text size="sm" c="red" role="alert">
          {error}
        </Text>
      )}
    </Stack>
  );
}
