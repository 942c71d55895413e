import { GFM, parser } from '@lezer/markdown';

/** Markdown as the service exports it: tables, task lists, strikethrough and bare URLs. HTML is plain text. */
export const markdownParser = parser.configure(GFM);
