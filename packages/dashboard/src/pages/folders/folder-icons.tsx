const PATHS = {
  folder: 'M3 6h6l2 2h10v11H3z',
  lock: 'M6 11h12v9H6zM8 11V8a4 4 0 0 1 8 0v3',
  unfiled: 'M4 13h5l1 3h4l1-3h5v7H4zM4 13l3-8h10l3 8',
} as const;

export type FolderIconName = keyof typeof PATHS;

/** Icons that only pages with folders load. */
export function FolderIcon({ name, size = 16 }: { name: FolderIconName; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
