/** Days for which deleted documents and templates can be restored. */
export const TRASH_DAYS = 30;
