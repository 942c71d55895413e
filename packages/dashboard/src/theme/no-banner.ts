/**
 * A header outside of a section is a banner for assistive technology, but the dashboard's header is already the banner.
 */
export const NO_BANNER = { header: { role: 'presentation' } };
