import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { bodyOf } from '../../api/client.js';
import { useCollections } from '../../api/collections.js';
import { useAccount } from '../../api/session.js';
import { useSearchState } from '../../search-state.js';
import { foldersOf, hasRight, pathName, shownRows } from '../folders/folders.js';
import { TYPES, type DocumentType } from './document-types.js';
import type { Template } from './editor/creation.js';
import type { DocumentSession, SessionView } from './editor/document-session.js';

/** Maximum number of templates to offer. */
const OFFERED = 100;

interface NewDocumentChoicesProps {
  session: DocumentSession;
  view: SessionView;
  template: Template | undefined;
}

/**
 * The template and the type of a new document. They stay visible while it is open, so that creating it moves nothing.
 */
export default function NewDocumentChoices({ session, view, template }: NewDocumentChoicesProps) {
  const { id: accountId, api, may } = useAccount();
  const navigate = useNavigate();
  const [{ template: templateId, folder }, change] = useSearchState();
  const templates = useQuery({
    queryKey: [accountId, 'templates', 'offered'],
    queryFn: () =>
      bodyOf(
        api.GET('/v1/templates', {
          params: { query: { limit: OFFERED, sort: 'name', order: 'asc' } },
        }),
      ),
    enabled: may('templates:read'),
  });
  const [hasChosenType, setChosenType] = useState(false);
  const { type } = view.details;
  const offered = templates.data?.data ?? [];
  return (
    <>
      <NativeSelect
        label="Template"
        value={templateId ?? ''}
        disabled={view.isCreating}
        data={[
          { value: '', label: 'Blank' },
          ...offered.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={({ currentTarget }) => {
          const chosen = currentTarget.value === '' ? undefined : currentTarget.value;
          if (view.documentId !== undefined) {
            const search = { template: chosen, folder } as never;
            void navigate({ to: '/{-$accountId}/documents/new', params: { accountId }, search });
          } else change({ template: chosen }, { replace: true });
        }}
      />
      <NativeSelect
        label="Type"
        value={hasChosenType ? type : (template?.type ?? type)}
        data={TYPES.map(([value, label]) => ({ value, label }))}
        onChange={({ currentTarget }) => {
          setChosenType(true);
          session.editDetails({ type: currentTarget.value as DocumentType });
        }}
      />
      <FolderSelect
        // A document that exists is moved by its menu.
        disabled={view.isCreating || view.documentId !== undefined}
        value={view.document ? (view.document.collectionId ?? undefined) : folder}
        onChange={(chosen) => {
          change({ folder: chosen }, { replace: true });
        }}
      />
    </>
  );
}

interface FolderSelectProps {
  disabled: boolean;
  /** Undefined is no folder. */
  value: string | undefined;
  onChange: (folderId: string | undefined) => void;
}

/** The folder for a new document. Not shown in an account without folders. */
function FolderSelect({ disabled, value, onChange }: FolderSelectProps) {
  const collections = useCollections();
  if (!collections.data || collections.data.length === 0) return null;
  const folders = foldersOf(collections.data);
  const rows = shownRows(folders);
  const offered = rows.filter(({ folder }) => folder.id === value || hasRight(folder, 'editor'));
  return (
    <NativeSelect
      label="Folder"
      disabled={disabled}
      value={value ?? ''}
      data={[
        { value: '', label: 'Not in a folder' },
        ...offered.map(({ folder: { id } }) => ({ value: id, label: pathName(folders, id) })),
      ]}
      onChange={({ currentTarget }) => {
        onChange(currentTarget.value === '' ? undefined : currentTarget.value);
      }}
    />
  );
}
