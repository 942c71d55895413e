import { Tabs } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useRef, type ReactNode } from 'react';
import { Pager } from '../../components/pager.js';
import { useSearchState } from '../../search-state.js';
import type { Folders } from '../folders/folders.js';
import { DocumentTable } from './document-table.js';
import classes from './documents-page.module.css';
import { ListControls } from './list/list-controls.js';
import listClasses from './list/list.module.css';
import type { useDocumentList } from './use-document-list.js';

interface DocumentListProps {
  folders: Folders;
  list: ReturnType<typeof useDocumentList>;
  /** Button for an empty list. */
  begin: ReactNode;
}

/** The documents of a place, or its trash, with search and filters. */
export function DocumentList({ folders, list, begin }: DocumentListProps) {
  const { filters, inTrash, documents } = list;
  const [, change] = useSearchState();
  const controls = useRef<HTMLDivElement>(null);
  useHotkeys([
    [
      '/',
      () => {
        controls.current?.querySelector<HTMLElement>('input[type=search]')?.focus();
      },
    ],
  ]);
  return (
    <>
      <Tabs
        value={inTrash ? 'trash' : 'documents'}
        onChange={(tab) => {
          change({
            tab: tab === 'trash' ? 'trash' : undefined,
            status: undefined,
            type: undefined,
            tag: undefined,
            unpublishedChanges: undefined,
          });
        }}
        mb="md"
      >
        <Tabs.List aria-label="Documents and trash">
          <Tabs.Tab value="documents">Active</Tabs.Tab>
          <Tabs.Tab value="trash">Trash</Tabs.Tab>
        </Tabs.List>
      </Tabs>
      <ListControls ref={controls} filters={filters} />
      <div className={`${classes.list ?? ''} ${listClasses.list ?? ''}`} id="list" tabIndex={-1}>
        <DocumentTable
          // The selection belongs to the list shown.
          key={list.key}
          folders={folders}
          filters={filters}
          documents={documents}
          begin={begin}
        />
        <Pager pagination={documents.data?.meta.pagination} />
      </div>
    </>
  );
}
