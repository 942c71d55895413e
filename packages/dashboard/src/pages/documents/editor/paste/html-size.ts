/** Start and end of a part of HTML. */
type Part = readonly [start: RegExp, end: RegExp];

const COMMENTS: Part = [/<!--/g, /-->/g];
const STYLES: Part = [/<style[\s>]/gi, /<\/style[^>]*>/gi];

/** Returns the length of HTML without comments, styles and data. */
export function textLength(html: string): number {
  return cut(cut(html, COMMENTS), STYLES).replaceAll(/"data:[^"]*"/gi, '').length;
}

/** Removes parts in linear time. */
function cut(html: string, [start, end]: Part): string {
  let kept = '';
  let at = 0;
  for (;;) {
    start.lastIndex = at;
    const opening = start.exec(html);
    end.lastIndex = start.lastIndex;
    if (!opening || !end.exec(html)) return kept + html.slice(at);
    kept += html.slice(at, opening.index);
    at = end.lastIndex;
  }
}
