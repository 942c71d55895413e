/** Line icons, 24 units wide. They are hidden from screen readers, so the button or link around one needs a name. */
const PATHS = {
  overview: 'M4 13h6V4H4zM14 20h6V11h-6zM4 20h6v-3H4zM14 7h6V4h-6z',
  documents: 'M7 3h7l5 5v13H7zM14 3v5h5M10 13h6M10 17h6',
  templates: 'M4 4h16v5H4zM4 13h7v7H4zM15 13h5v7h-5z',
  proposals: 'M4 5h16v11H9l-5 4zM9 11l2 2 4-5',
  keys: 'M8 15a4 4 0 1 1 3.5-6H21v4h-3v3h-4v-3h-2.5A4 4 0 0 1 8 15zM8 11h.01',
  webhooks: 'M9 9a4 4 0 1 1 5 3l3 5M7 12a4 4 0 1 0 5 5h6M18 17h.01M8 17l3-6',
  events: 'M4 12h4l3-8 4 16 3-8h3',
  requests: 'M4 7h13M13 3l4 4-4 4M20 17H7M11 13l-4 4 4 4',
  audit: 'M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6zM9 12l2 2 4-4',
  jobs: 'M12 3v3M12 18v3M4.5 7.5l2.5 1.5M17 15l2.5 1.5M4.5 16.5L7 15M17 9l2.5-1.5M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  members:
    'M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM2 21c0-4 3-6 7-6s7 2 7 6M16 3a4 4 0 0 1 0 8M18 15c3 .5 4 3 4 6',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M14 5v4M6 15v4',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM21 21l-5-5',
  filter: 'M4 6h16M7 12h10M10 18h4',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  close: 'M6 6l12 12M18 6L6 18',
  menu: 'M4 6h16M4 12h16M4 18h16',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 4-6 8-6s8 2 8 6',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M5 13l4 4L19 7',
  down: 'M6 9l6 6 6-6',
  right: 'M9 6l6 6-6 6',
  left: 'M15 6l-6 6 6 6',
  add: 'M12 5v14M5 12h14',
  alert: 'M12 3l10 18H2zM12 10v5M12 18h.01',
  external: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  upload: 'M12 16V4M7 9l5-5 5 5M4 20h16',
  download: 'M12 4v12M7 11l5 5 5-5M4 20h16',
  book: 'M5 4h6a2 2 0 0 1 2 2v14a2 2 0 0 0-2-2H5zM21 4h-6a2 2 0 0 0-2 2v14a2 2 0 0 1 2-2h6z',
  history: 'M4 4v5h5M4.5 9A8 8 0 1 1 4 14M12 8v5l3 2',
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size }: { name: IconName; size?: number }) {
  return <LineIcon path={PATHS[name]} size={size} strokeWidth={name === 'more' ? 3 : 1.75} />;
}

interface LineIconProps {
  path: string;
  size?: number | undefined;
  strokeWidth?: number;
}

/** Draws an icon that is not among those that every page loads. */
export function LineIcon({ path, size = 16, strokeWidth = 1.75 }: LineIconProps) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={strokeWidth}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={path} />
    </svg>
  );
}
