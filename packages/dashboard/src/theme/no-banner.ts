/** A header outside of a section is the banner of the page, which the head of the dashboard is already. */
export const NO_BANNER = { header: { role: 'presentation' } };
