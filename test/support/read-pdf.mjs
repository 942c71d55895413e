// Reads the text of a PDF as a PDF reader does. Runs in a separate process, because jest cannot load the library.
import { readFileSync } from 'node:fs';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';

const { promise } = getDocument({ data: new Uint8Array(readFileSync(0)), verbosity: 0 });
const document = await promise;
const { info } = await document.getMetadata();
const pages = [];
const layouts = [];
const links = [];
for (let number = 1; number <= document.numPages; number += 1) {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  pages.push(items.map(({ str, hasEOL }) => str + (hasEOL ? '\n' : '')).join(''));
  const { width, height } = page.getViewport({ scale: 1 });
  const texts = items
    .filter(({ str }) => str.trim() !== '')
    .map(({ str, transform, width, height }) => ({
      text: str,
      x: transform[4],
      y: transform[5],
      width,
      size: height,
    }));
  layouts.push({ width, height, texts });
  links.push(...(await page.getAnnotations()).flatMap(({ url }) => (url ? [url] : [])));
}
const outline = ((await document.getOutline()) ?? []).map(({ title }) => title);
process.stdout.write(JSON.stringify({ title: info.Title, pages, layouts, links, outline }));
