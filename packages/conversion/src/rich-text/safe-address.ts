const SAFE_SCHEMES = new Set(['http', 'https', 'mailto', 'tel', 'ftp', 'sms']);

/** Pictures as data that a browser only paints; SVG could hold scripts. */
const PAINTED_DATA = /^data:image\/(?:png|jpe?g|gif|webp|avif);base64,[A-Za-z0-9+/=\s]*$/i;

/** Browsers leave out tabs and line breaks, and control characters at the ends, before they look for a scheme. */
// eslint-disable-next-line no-control-regex
const IGNORED = /[\u0000-\u001f\u007f-\u009f\u200b\u2028\u2029\ufeff]/g;

/** The address of a link as it may be kept, relative ones too; `undefined` for one that runs something. */
export function safeLink(address: string): string | undefined {
  const cleaned = clean(address);
  if (cleaned === '') return undefined;
  const scheme = schemeOf(cleaned);
  return scheme === undefined || SAFE_SCHEMES.has(scheme) ? cleaned : undefined;
}

/** The address of an image as it may be kept. */
export function safeImage(address: string): string | undefined {
  const cleaned = clean(address);
  if (isImageData(cleaned)) return cleaned.replace(/\s/g, '');
  const scheme = schemeOf(cleaned);
  if (cleaned === '') return undefined;
  return scheme === undefined || scheme === 'http' || scheme === 'https' ? cleaned : undefined;
}

/** Whether an image stands in its own address instead of somewhere else. */
export function isImageData(address: string): boolean {
  return PAINTED_DATA.test(address);
}

/** Only letters that an address may have anywhere (RFC 3986). */
const PLAIN = /^(?:[\w.~:/?#@!$&'()*+,;=-]|%[\da-f]{2})*$/i;

/** A safe address that leads somewhere from anywhere, as it is or in the letters that addresses may have. */
export function absoluteAddress(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  return PLAIN.test(address) ? address : new URL(address).href;
}

function clean(address: string): string {
  return address.replace(IGNORED, '').trim();
}

/** The scheme in lower case; what comes before a colon and is no scheme counts as one, and no list has it. */
function schemeOf(address: string): string | undefined {
  return /^([^/?#:]*):/.exec(address)?.[1]?.toLowerCase();
}
