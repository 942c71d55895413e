import { GFM, parser } from '@lezer/markdown';

/** Markdown as the service exports it: with tables, task lists, strikethrough and bare addresses, and HTML as plain text. */
export const markdownParser = parser.configure(GFM);
