import { readFileSync } from 'node:fs';
import { highlight } from './lib/highlight.mjs';
import { Links } from './lib/links.mjs';
import { configureMarkdown } from './lib/markdown.mjs';
import { navigationOf, neighborsOf } from './lib/navigation.mjs';
import { readPages } from './lib/sources.mjs';
import { finishSite } from './lib/finish.mjs';
import { readAssets } from './lib/assets.mjs';
import { readOptions } from './options.mjs';

/** @param {import('@11ty/eleventy/UserConfig')} eleventy */
export default async function configure(eleventy) {
  const options = readOptions(process.argv.slice(2));
  const pages = await readPages();
  const links = new Links(pages, options);
  const navigation = navigationOf(pages);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const assets = readAssets(options.base);

  eleventy.setIncludesDirectory('_includes');
  eleventy.amendLibrary('md', (md) => configureMarkdown(md, links));
  eleventy.addFilter('highlight', (code, language) => highlight(code, language) ?? code);
  eleventy.addFilter('pageUrl', (page) => links.urlOf(page));
  eleventy.addGlobalData('site', {
    ...options,
    version,
    navigation,
    home: links.urlOf({ path: '' }),
    assets: assets.urls,
  });
  for (const page of pages) {
    eleventy.addTemplate(`${page.path || 'index'}.md`, page.body, {
      layout: 'page.njk',
      permalink: `${page.path}/index.html`.replace(/^\//, ''),
      doc: page,
      ...neighborsOf(page, navigation),
    });
  }
  eleventy.on('eleventy.after', ({ directories }) =>
    finishSite({ folder: directories.output, pages, links, options, assets, navigation }),
  );
  for (const folder of ['docs', 'docs-site/assets', 'docs-site/pages', 'packages/client/README.md'])
    eleventy.addWatchTarget(folder, { resetConfig: true });
  return { markdownTemplateEngine: false, templateFormats: ['md', 'njk'] };
}
