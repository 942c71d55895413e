/**
 * Turns the footnotes and endnotes in mammoth's HTML into those of our HTML reader. `prefix` starts every id, and nothing
 * else in the HTML.
 *
 * Links to the bookmark of a reference, which our exports write for repeated references, become references too.
 */
export function readNotes(html: string, prefix: string): string {
  const note = `#(${prefix}(?:foot|end)note-[\\w-]{1,100})`;
  const bookmarked = new RegExp(`<a id="(${prefix}[^"<>]{1,200})"></a><sup><a href="${note}"`, 'g');
  const notes = new Map<string, string>();
  for (const [, bookmark = '', id = ''] of html.matchAll(bookmarked)) notes.set(bookmark, id);
  return html
    .replace(new RegExp(`<a href="${note}" id=`, 'g'), '<a data-footnote-ref href="#$1" id=')
    .replace(new RegExp(`<a href="#(${prefix}[^"<>]{1,200})">`, 'g'), (tag, target: string) => {
      const id = notes.get(target);
      return id === undefined ? tag : `<a data-footnote-ref href="#${id}">`;
    })
    .replace(new RegExp(` <a href="#${prefix}(?:foot|end)note-ref-[\\w-]{1,100}">↑</a>`, 'g'), '')
    .replace(`<ol><li id="${prefix}`, `<section data-footnotes><ol><li id="${prefix}`);
}
