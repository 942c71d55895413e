import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { llmsFull, llmsIndex } from './llms.mjs';

/** Adds what is not a page, and throws if a link leads nowhere. */
export function finishSite({ folder, pages, links, options, assets, navigation }) {
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
    writeFileSync(target, page.markdown);
  }
  writeFileSync(join(folder, 'llms.txt'), llmsIndex(navigation, options));
  writeFileSync(join(folder, 'llms-full.txt'), llmsFull(navigation, options));
}
