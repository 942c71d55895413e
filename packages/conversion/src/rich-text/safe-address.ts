const SAFE_SCHEMES = new Set(['http', 'https', 'mailto', 'tel', 'ftp', 'sms']);

/** Image data that browsers only paint. SVG could contain scripts. */
const PAINTED_DATA = /^data:image\/(?:png|jpe?g|gif|webp|avif);base64,[A-Za-z0-9+/=\s]*$/i;

/** Browsers ignore tabs, line breaks, and control characters at the ends when they look for a scheme. */
// eslint-disable-next-line no-control-regex
const IGNORED = /[\u0000-\u001f\u007f-\u009f\u200b\u2028\u2029\ufeff]/g;

/** Returns a link address, which may be relative, or `undefined` if it could run code. */
export function safeLink(address: string): string | undefined {
  const cleaned = clean(address);
  if (cleaned === '') return undefined;
  const scheme = schemeOf(cleaned);
  return scheme === undefined || SAFE_SCHEMES.has(scheme) ? cleaned : undefined;
}

/** Returns an image address, or `undefined` if it is unsafe. */
export function safeImage(address: string): string | undefined {
  const cleaned = clean(address);
  if (isImageData(cleaned)) return cleaned.replace(/\s/g, '');
  const scheme = schemeOf(cleaned);
  if (cleaned === '') return undefined;
  return scheme === undefined || scheme === 'http' || scheme === 'https' ? cleaned : undefined;
}

/** Returns true if the address contains the image itself. */
export function isImageData(address: string): boolean {
  return PAINTED_DATA.test(address);
}

/** Characters that an address may contain anywhere (RFC 3986). */
const PLAIN = /^(?:[\w.~:/?#@!$&'()*+,;=-]|%[\da-f]{2})*$/i;

/** Returns a safe absolute address, percent-encoded if necessary. */
export function absoluteAddress(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  return PLAIN.test(address) ? address : new URL(address).href;
}

function clean(address: string): string {
  return address.replace(IGNORED, '').trim();
}

/**
 * Returns the scheme in lower case. Text before a colon counts as a scheme even if it is invalid, so no list allows it.
 */
function schemeOf(address: string): string | undefined {
  return /^([^/?#:]*):/.exec(address)?.[1]?.toLowerCase();
}
