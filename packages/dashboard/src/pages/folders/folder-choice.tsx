import { TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { Icon } from '../../components/icons.js';
import { fixedIcon } from './folder-row.js';
import { FolderTree } from './folder-tree.js';
import { foundRows, ROOT, type Folders } from './folders.js';
import classes from './folders.module.css';

/** A longer tree has a field that searches it. */
const SEARCHED_FROM = 9;

interface FolderChoiceProps {
  label: string;
  folders: Folders;
  /** Name of the choice that is no folder. Without it, there is none. */
  rootName?: string;
  /** Undefined until one is chosen. Null is no folder. */
  value?: string | null | undefined;
  /** Several can be chosen. */
  checked?: ReadonlySet<string>;
  /** Called with the chosen or toggled folder. */
  onChange: (id: string | null) => void;
  whyNot?: (id: string | null) => string | undefined;
}

/** The tree of folders in a form, with a search. */
export function FolderChoice(props: FolderChoiceProps) {
  const { label, folders, rootName, value, checked, onChange, whyNot } = props;
  const labelId = useId();
  const [typed, setTyped] = useState('');
  const found = typed.trim() === '' ? undefined : foundRows(folders, typed);
  return (
    <div role="group" aria-labelledby={labelId}>
      <div id={labelId} className={classes.label}>
        {label}
      </div>
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
          <p className={classes.hint} role="status">
            No folders match “{typed.trim()}”.
          </p>
        ) : (
          <div className={classes.scroll}>
            <FolderTree
              label={label}
              folders={folders}
              fixed={
                rootName === undefined
                  ? []
                  : [{ id: ROOT, name: rootName, icon: fixedIcon('unfiled') }]
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
