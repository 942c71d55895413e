import { useCollections } from '../../api/collections.js';
import { foldersOf, pathName } from './folders.js';

/** The folders that a key or app is limited to. Null is all folders. */
export function FolderNames({ ids }: { ids: readonly string[] | null }) {
  const { data = [] } = useCollections({ enabled: ids !== null });
  if (ids === null) return 'All';
  const folders = foldersOf(data);
  const names = ids.map((id) => pathName(folders, id)).filter((name) => name !== '');
  const others = ids.length - names.length;
  if (others > 0)
    names.push(others === 1 ? '1 you can’t open' : `${String(others)} you can’t open`);
  return `Only ${names.join(', ')}`;
}
