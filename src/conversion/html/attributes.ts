import type { Alignment } from '../rich-text/rich-text.js';

export type Attributes = Readonly<Record<string, string>>;

/** The number of the first item of a list. */
export function startOf({ start = '' }: Attributes): number {
  return /^\d{1,8}$/.test(start) ? Number(start) : 1;
}

/** The language that code says it is in, by its class. */
export function languageOf({ class: classes = '' }: Attributes): string {
  return /(?:^|\s)lang(?:uage)?-([\w#+.-]{1,40})/.exec(classes)?.[1] ?? '';
}

/** How a cell aligns its text. */
export function alignmentOf({ align = '', style = '' }: Attributes): Alignment {
  const named = /text-align:\s*(left|center|right)/i.exec(style)?.[1] ?? align;
  const lower = named.toLowerCase();
  return lower === 'left' || lower === 'center' || lower === 'right' ? lower : undefined;
}
