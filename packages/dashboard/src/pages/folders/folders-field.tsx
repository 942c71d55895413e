import { Radio, Stack, Text } from '@mantine/core';
import { useCollections } from '../../api/collections.js';
import { FailureAlert } from '../../components/failure-alert.js';
import { FolderChoice } from './folder-choice.js';
import { foldersOf, pathName } from './folders.js';
import classes from './folders.module.css';

/** Folders of a key or app. The API accepts at most 20. */
const MOST = 20;

interface FoldersFieldProps {
  /** Null for all folders. */
  value: readonly string[] | null;
  onChange: (value: string[] | null) => void;
  /** Who is limited: "The key" or "The app". */
  who: string;
  error: string | undefined;
}

/** All folders, or only some. Not shown in an account without folders. */
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
    <fieldset className={classes.field}>
      <legend>Folders</legend>
      <Radio.Group
        aria-label="Folders"
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
            <button
              type="button"
              className={classes.link}
              onClick={() => {
                onChange(value.filter((id) => folders.byId.has(id)));
              }}
            >
              Remove folders that you can’t open
            </button>
          )}
        </>
      )}
      {error !== undefined && (
        <Text size="sm" c="red" role="alert">
          {error}
        </Text>
      )}
    </fieldset>
  );
}
