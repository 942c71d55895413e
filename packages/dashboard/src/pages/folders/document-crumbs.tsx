import type { ReactNode } from 'react';
import { useCollections } from '../../api/collections.js';
import { FolderCrumbs } from './folder-crumbs.js';
import { foldersOf, pathOf } from './folders.js';

interface DocumentCrumbsProps {
  /** The folder of the document. */
  folderId: string;
  /** Shown while the folders load. */
  fallback: ReactNode;
}

/** Links to the folder of a document and those above it. */
export default function DocumentCrumbs({ folderId, fallback }: DocumentCrumbsProps) {
  const { data } = useCollections();
  const path = data ? pathOf(foldersOf(data), folderId) : [];
  return path.length === 0 ? fallback : <FolderCrumbs path={path} isShort />;
}
