/** Protocols that a link may open. */
const SAFE = new Set(['http:', 'https:', 'mailto:']);

/** `rel` of links to other sites. */
export const REL = 'noopener noreferrer nofollow';

/** Returns the address if it is safe to open. Excludes scripts, files and relative addresses. */
export function safeAddress(address: string | undefined): string | undefined {
  if (address === undefined || !URL.canParse(address)) return undefined;
  const { protocol, href } = new URL(address);
  return SAFE.has(protocol) ? href : undefined;
}

/** Opens an address in a new tab. */
export function openAddress(href: string): void {
  window.open(href, '_blank', 'noopener,noreferrer');
}
