import type { Alignment, Marks } from '../rich-text/rich-text.js';

export type Mark = Exclude<keyof Marks, 'link'>;

/** Elements that format their text. */
export const MARKED_ELEMENTS: ReadonlyMap<string, Mark> = new Map([
  ['b', 'bold'],
  ['strong', 'bold'],
  ['dt', 'bold'],
  ['em', 'italic'],
  ['i', 'italic'],
  ['cite', 'italic'],
  ['dfn', 'italic'],
  ['var', 'italic'],
  ['del', 'strike'],
  ['s', 'strike'],
  ['strike', 'strike'],
  ['ins', 'underline'],
  ['u', 'underline'],
  ['code', 'code'],
  ['kbd', 'code'],
  ['samp', 'code'],
  ['tt', 'code'],
  ['sub', 'subscript'],
  ['sup', 'superscript'],
]);

/** Elements that start and end a line. */
export const BLOCK_ELEMENTS: ReadonlySet<string> = new Set([
  'address',
  'article',
  'aside',
  'body',
  'caption',
  'center',
  'dd',
  'details',
  'dialog',
  'dir',
  'div',
  'dl',
  'dt',
  'fieldset',
  'figcaption',
  'figure',
  'footer',
  'form',
  'head',
  'header',
  'hgroup',
  'html',
  'legend',
  'main',
  'menu',
  'nav',
  'p',
  'search',
  'section',
  'summary',
]);

/** Elements that are dropped with their content. */
export const DROPPED_ELEMENTS: ReadonlySet<string> = new Set([
  'applet',
  'audio',
  'canvas',
  'datalist',
  'embed',
  'frameset',
  'iframe',
  'math',
  'noembed',
  'noframes',
  'noscript',
  'object',
  'portal',
  'script',
  'select',
  'style',
  'svg',
  'template',
  'textarea',
  'video',
  'xmp',
]);

/** Dropped elements that are not worth a warning, because readers would not miss them. */
export const SILENT_ELEMENTS: ReadonlySet<string> = new Set([
  'noembed',
  'noframes',
  'noscript',
  'script',
  'style',
  'template',
]);

/** Every element of current and past HTML. */
export const HTML_ELEMENTS: ReadonlySet<string> = new Set([
  ...MARKED_ELEMENTS.keys(),
  ...BLOCK_ELEMENTS,
  ...DROPPED_ELEMENTS,
  ...(
    'a abbr acronym area b base bdi bdo big blink blockquote br button col colgroup data font frame h1 h2 h3 h4 h5 h6 ' +
    'hr img image input label li link listing mark marquee menuitem meta meter nobr ol optgroup option output param ' +
    'picture plaintext pre progress q rb rp rt rtc ruby slot small source span strong table tbody td tfoot th thead ' +
    'time title tr track ul wbr'
  ).split(' '),
]);

/** Class of the header that shows the title in exported pages. The reader takes its text as the title. */
export const TITLE_CLASS = 'document-title';

export type Attributes = Readonly<Record<string, string>>;

/** Returns the number of the first item of a list. */
export function startOf({ start = '' }: Attributes): number {
  return /^\d{1,8}$/.test(start) ? Number(start) : 1;
}

/** Returns the language of code, which is in its class names. */
export function languageOf({ class: classes = '' }: Attributes): string {
  return /(?:^|\s)lang(?:uage)?-([\w#+.-]{1,40})/.exec(classes)?.[1] ?? '';
}

/** Returns the alignment of a cell. */
export function alignmentOf({ align = '', style = '' }: Attributes): Alignment {
  const named = /text-align:\s*(left|center|right)/i.exec(style)?.[1] ?? align;
  const lower = named.toLowerCase();
  return lower === 'left' || lower === 'center' || lower === 'right' ? lower : undefined;
}
