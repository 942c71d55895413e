import { LineIcon } from '../../components/icons.js';

const PATHS = {
  folder: 'M3 6h6l2 2h10v11H3z',
  lock: 'M6 11h12v9H6zM8 11V8a4 4 0 0 1 8 0v3',
  unfiled: 'M4 13h5l1 3h4l1-3h5v7H4zM4 13l3-8h10l3 8',
} as const;

/** Icons that only pages with folders load. */
export function FolderIcon({ name, size }: { name: keyof typeof PATHS; size?: number }) {
  return <LineIcon path={PATHS[name]} size={size} />;
}
