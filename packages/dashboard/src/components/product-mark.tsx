/** The logo, the same as theme/icon.svg. */
export function ProductMark({ className }: { className: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" fill="var(--app-accent)" />
      <path d="M10 7h8l5 5v13H10z" fill="var(--app-on-accent)" />
      <path d="M13 15h7M13 19h7" stroke="var(--app-accent)" strokeWidth="2" />
    </svg>
  );
}
