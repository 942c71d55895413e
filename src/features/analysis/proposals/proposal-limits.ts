/** Maximum number of changes in a proposal. */
export const MAX_CHANGES = 1_000;
/** Maximum length of all replacements of a proposal, in UTF-16 units. */
export const MAX_REPLACEMENT_UNITS = 256 * 1024;
/** Maximum characters of a message about a proposal or one of its edits. */
export const MAX_MESSAGE = 1_000;
/** Maximum number of open proposals. */
export const MAX_OPEN = { ofDocument: 50, ofAccount: 5_000 };
