import { Input, Text, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { Icon } from '../../components/icons.js';
import { FolderIcon } from './folder-icons.js';
import { FolderTree } from './folder-tree.js';
import { foundRows, ROOT, type Folders } from './folders.js';
import classes from './folders.module.css';

/** Minimum number of folders for a search field. */
const SEARCHED_FROM = 9;

interface FolderChoiceProps {
  label: string;
  folders: Folders;
  /** Label of the choice "no folder". Without it, only folders can be chosen. */
  rootName?: string;
  /** The chosen folder. Undefined until one is chosen; null for no folder. */
  value?: string | null | undefined;
  /** The checked folders. With it, several can be chosen. */
  checked?: ReadonlySet<string>;
  /** Receives the chosen folder, or the one to check or uncheck. */
  onChange: (id: string | null) => void;
  /** Returns why a folder cannot be chosen, or undefined. */
  whyNot?: (id: string | null) => string | undefined;
}

/** Form field with the tree of folders and a search. */
export function FolderChoice(props: FolderChoiceProps) {
  const { label, folders, rootName, value, checked, onChange, whyNot } = props;
  const labelId = useId();
  const [typed, setTyped] = useState('');
  const found = typed.trim() === '' ? undefined : foundRows(folders, typed);
  return (
    <div role="group" aria-labelledby={labelId}>
      <Input.Label labelElement="div" id={labelId}>
        {label}
      </Input.Label>
      <div className={classes.choice}>
        {folders.byId.size >= SEARCHED_FROM && (
          <TextInput
            type="search"
            size="xs"
            aria-label="Search folders"
            placeholder="Search folders"
            value={typed}
            leftSection={<Icon name="search" size={14} />}
            onChange={({ currentTarget }) => {
              setTyped(currentTarget.value);
            }}
          />
        )}
        {found?.length === 0 ? (
          <Text size="sm" c="dimmed" role="status">
            No folders match “{typed.trim()}”.
          </Text>
        ) : (
          <div className={classes.scroll}>
            <FolderTree
              label={label}
              folders={folders}
              fixed={
                rootName === undefined
                  ? []
                  : [{ id: ROOT, name: rootName, icon: <FolderIcon name="unfiled" /> }]
              }
              found={found}
              chosen={value === null ? ROOT : value}
              {...(checked && { checked })}
              {...(whyNot && { whyNot: (id: string) => whyNot(id === ROOT ? null : id) })}
              onChoose={(id) => {
                onChange(id === ROOT ? null : id);
              }}
            />
          </div>
        )}
      </div>
    </div>
  );
}
