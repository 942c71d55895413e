import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { compressFolder } from '../../scripts/compress-folder.mjs';
import { searchIndexOf } from './search-index.mjs';
import { llmsFull, llmsIndex } from './llms.mjs';

/** Level 9 saves another 1 % and takes twenty times as long, of the 5 s that a build may take. */
const COMPRESSION = { quality: 6 };

/** Adds what is not a page, and throws if a link leads nowhere. */
export async function finishSite({ folder, pages, links, options, assets, navigation, outlines }) {
  for (const page of pages) {
    const html = readFileSync(join(folder, page.path, 'index.html'), 'utf8');
    links.addAnchors(
      page,
      [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id),
    );
  }
  links.checkAnchors();
  if (links.problems.length > 0) throw new Error(links.problems.join('\n'));
  assets.write(folder);
  mkdirSync(join(folder, 'images'), { recursive: true });
  for (const file of links.images) copyFileSync(file, join(folder, 'images', basename(file)));
  for (const page of pages) {
    const target = join(folder, `${page.path || 'index'}.md`);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, links.portable(page.markdown, page));
  }
  writeFileSync(join(folder, 'llms.txt'), llmsIndex(navigation, options));
  writeFileSync(join(folder, 'llms-full.txt'), llmsFull(navigation, options, links));
  const search = searchIndexOf(
    navigation,
    ({ path }) => outlines.get(path).sections,
    (page) => links.urlOf(page),
  );
  writeFileSync(join(folder, 'search-index.json'), JSON.stringify(search));
  if (options.origin !== undefined)
    writeFileSync(join(folder, 'sitemap.xml'), sitemap(pages, links, options.origin));
  if (!options.serve) await compressFolder(folder, COMPRESSION);
}

function sitemap(pages, links, origin) {
  const entries = pages.map((page) => `  <url><loc>${origin}${links.urlOf(page)}</loc></url>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...entries,
    '</urlset>\n',
  ].join('\n');
}
