import type { Marks } from '../rich-text/rich-text.js';

export type Mark = Exclude<keyof Marks, 'link'>;

/** Elements that format the text in them. */
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

/** Elements that begin and end a line of their own. */
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

/** Elements that are left out with everything in them. */
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

/** Those of them whose absence no reader of a page would notice. */
export const SILENT_ELEMENTS: ReadonlySet<string> = new Set([
  'noembed',
  'noframes',
  'noscript',
  'script',
  'style',
  'template',
]);

/** Every element that HTML has or had. */
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
