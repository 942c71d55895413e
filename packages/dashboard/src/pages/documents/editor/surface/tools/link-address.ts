/** Schemes of addresses that run a program or contain a page. */
const UNSAFE = /^(?:javascript|vbscript|data|file):/i;
const SCHEME = /^[a-z][a-z\d+.-]*:(?!\d+(?:[/?#]|$))/i;
const EMAIL = /^[^\s@/:?#]+@[^\s@/:?#]+\.[^\s@/:?#]+$/;
const RELATIVE = /^(?:[/#?]|\.\.?\/)/;

/**
 * Returns an address that a person entered with its scheme: `mailto:` for an email address, otherwise `https://`.
 * Returns undefined for an unsafe address, for words and for nothing.
 */
export function completeAddress(entered: string): string | undefined {
  const address = entered.trim();
  // Browsers ignore control characters inside a scheme.
  // eslint-disable-next-line no-control-regex
  if (address === '' || UNSAFE.test(address.replaceAll(/[\u0000-\u0020]/g, ''))) return undefined;
  if (EMAIL.test(address)) return `mailto:${address}`;
  if (SCHEME.test(address) || RELATIVE.test(address)) return address;
  if (/\s/.test(address)) return undefined;
  return `https://${address}`;
}

/** True for a text that is an address by itself, such as a pasted URL. */
export function isAddress(text: string): boolean {
  return /^(?:https?:\/\/|mailto:|www\.)[^\s]+$/i.test(text) || EMAIL.test(text);
}
