import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';
import { OTHER_PAGES, SECTIONS } from '../sections.mjs';

const FRONT_MATTER = /^---\n([\s\S]*?)\n---\n/;
const GENERATORS = 'docs-site/pages';

/**
 * A page of the site.
 *
 * @typedef {object} Page
 * @property {string} file Path of its Markdown in the repository; a generated page has the path that it would have.
 * @property {boolean} isGenerated
 * @property {string} path Path on the site without slashes at its ends; empty for the home page.
 * @property {string} markdown The whole source, with front matter.
 * @property {string} body The source without front matter.
 * @property {number} firstLine Number of the line before the body.
 * @property {string} title
 * @property {string} description
 * @property {number} order
 * @property {string} section Folder of its section.
 * @property {string | undefined} group Title of the group of pages within the section.
 * @property {string} keywords Words that people search for and the page does not contain.
 * @property {boolean} isForContributors
 * @property {boolean} isListedOnly True if the search index contains only the title and the description.
 */

/** Reads all pages: docs/, the pages of other folders, and what the modules in docs-site/pages/ generate. */
export async function readPages() {
  const documents = markdownFiles('docs').map((file) => ({
    file,
    path: pathOf(file.slice('docs/'.length)),
    text: readFileSync(file, 'utf8'),
  }));
  const others = OTHER_PAGES.filter(({ file }) => existsSync(file)).map((page) => ({
    ...page,
    text: readFileSync(page.file, 'utf8'),
  }));
  const pages = [...documents, ...others, ...(await generatedPages())].map(pageOf);
  const paths = new Map();
  for (const page of pages) {
    const other = paths.get(page.path);
    if (other)
      throw new Error(
        `${page.file} and ${other.file} are both the page /${page.path}: rename one.`,
      );
    paths.set(page.path, page);
  }
  return pages;
}

/**
 * Each module in docs-site/pages/ exports a function that returns pages `{ file, text }`: `file` is the path that the
 * Markdown would have below docs/, and `text` is Markdown with front matter.
 */
async function generatedPages() {
  const modules = readdirSync(GENERATORS).filter((name) => name.endsWith('.mjs'));
  const pages = await Promise.all(
    modules.map(async (name) => {
      const { default: generate } = await import(pathToFileURL(join(GENERATORS, name)).href);
      return generate();
    }),
  );
  return pages.flat().map(({ file, text }) => ({
    file,
    text,
    path: pathOf(file.slice('docs/'.length)),
    isGenerated: true,
  }));
}

function markdownFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return markdownFiles(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

/** `guides/search.md` is the page guides/search; `adr/README.md` and `adr/index.md` are the page adr. */
function pathOf(file) {
  return file.replace(/\.md$/, '').replace(/(^|\/)(README|index)$/, '');
}

function pageOf({ file, path, text, isGenerated = false, ...defaults }) {
  const [frontMatter = '', yaml = ''] = FRONT_MATTER.exec(text) ?? [];
  const body = text.slice(frontMatter.length);
  const values = {
    title: plain(/^# (.+)$/m.exec(body)?.[1] ?? path),
    description: firstSentenceOf(body),
    order: defaults.order ?? 100,
    section: defaults.section ?? path.split('/')[0],
    keywords: '',
    ...valuesOf(yaml, file),
  };
  const { title, description, order, section, group, keywords, search } = values;
  return {
    file,
    isGenerated,
    path,
    markdown: text,
    body,
    firstLine: frontMatter.split('\n').length - 1,
    title,
    description,
    order,
    section,
    group,
    keywords,
    isForContributors:
      SECTIONS.find(({ folder }) => folder === section)?.isForContributors ?? false,
    isListedOnly: search === 'title',
  };
}

function valuesOf(yaml, file) {
  try {
    return parse(yaml);
  } catch (error) {
    throw new Error(`The front matter of ${file} is no YAML: ${error.message}`, { cause: error });
  }
}

/** The first sentence of the first paragraph. */
function firstSentenceOf(body) {
  const paragraph = body
    .split(/\n{2,}/)
    .map((block) => block.trim())
    .find((block) => /^[A-Za-z`*[]/.test(block));
  return /^.*?[.?:](?=\s|$)/s.exec(plain(paragraph ?? ''))?.[0].replace(/:$/, '.') ?? '';
}

/** Removes Markdown's marks from a line of text. */
function plain(text) {
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}
