/** The mark: a page in the form of a D with a highlighted line. The same as theme/icon.svg. */
export function ProductMark({ className }: { className: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="var(--app-brand)" />
      <path d="M8.5 7h8a9 9 0 0 1 0 18h-8z" fill="#fff" />
      <g strokeWidth="2.6" strokeLinecap="round">
        <path d="M12.3 13h7.4" stroke="var(--app-brand)" />
        <path d="M12.3 19h5.2" stroke="var(--app-brand-mark)" />
      </g>
    </svg>
  );
}
