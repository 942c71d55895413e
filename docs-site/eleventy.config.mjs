import { readFileSync } from 'node:fs';
import { Links } from './lib/links.mjs';
import { configureMarkdown } from './lib/markdown.mjs';
import { navigationRenderer } from './lib/navigation-html.mjs';
import { navigationOf, neighborsOf } from './lib/navigation.mjs';
import { readPages } from './lib/sources.mjs';
import { finishSite } from './lib/finish.mjs';
import { readAssets } from './lib/assets.mjs';
import { readOptions } from './options.mjs';
import { operationPageFile, operationsOf, readApiDocument } from './reference/api-document.mjs';
import { tryForm } from './reference/try-form.mjs';
import { OTHER_PAGES, SECTIONS } from './sections.mjs';

const NOT_FOUND = `# Page not found

This page does not exist. Search for it, or choose a page from the navigation.
`;

/** @param {import('@11ty/eleventy/UserConfig')} eleventy */
export default async function configure(eleventy) {
  const options = readOptions(process.argv.slice(2));
  const pages = await readPages();
  const links = new Links(pages, options);
  /** The headings and the texts of each page, by path; known when its Markdown is rendered. */
  const outlines = new Map();
  const navigation = navigationOf(pages);
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const assets = readAssets(options.base);

  eleventy.setIncludesDirectory('_includes');
  eleventy.amendLibrary('md', (md) => configureMarkdown(md, links, outlines));
  eleventy.addFilter(
    'navigation',
    navigationRenderer(navigation, (page) => links.urlOf(page)),
  );
  eleventy.addFilter('windowTitle', windowTitle);
  eleventy.addFilter('withTryForm', tryFormAdder(options));
  eleventy.addFilter('pageUrl', (page) => links.urlOf(page));
  eleventy.addFilter('contents', ({ path }) =>
    (outlines.get(path)?.headings ?? []).filter(({ level }) => level === 2 || level === 3),
  );
  eleventy.addGlobalData('site', {
    ...options,
    version,
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
  eleventy.addTemplate('404.md', NOT_FOUND, {
    layout: 'page.njk',
    permalink: '404.html',
    doc: { path: '404', title: 'Page not found', description: '', firstLine: 0 },
  });
  eleventy.on('eleventy.after', ({ directories }) =>
    finishSite({ folder: directories.output, pages, links, options, assets, navigation, outlines }),
  );
  const sources = ['assets', 'pages', 'reference'].map((name) => `docs-site/${name}`);
  for (const folder of ['docs', ...sources, ...OTHER_PAGES.map(({ file }) => file)])
    eleventy.addWatchTarget(folder, { resetConfig: true });
  return { markdownTemplateEngine: false, templateFormats: ['md', 'njk'] };
}

/** Adds a form to the pages of operations, below the samples. Only the service's own site can send requests to it. */
function tryFormAdder({ isStatic }) {
  const api = readApiDocument();
  const operations = new Map(
    operationsOf(api).map((one) => [operationPageFile(one.operationId), one]),
  );
  return (html, { file }) => {
    const operation = isStatic ? undefined : operations.get(file);
    if (!operation) return html;
    return html.replace(/(?=<div class="heading"><h2 )/, () => tryForm(api, operation));
  };
}

/** Pages of different sections may have the same title, so the title of the window names the section too. */
function windowTitle({ path, title, section }) {
  if (path === '') return title;
  const place = SECTIONS.find(({ folder }) => folder === section)?.title ?? title;
  return [...new Set([title, place, 'Document Service'])].join(' · ');
}
