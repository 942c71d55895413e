import { existsSync, statSync } from 'node:fs';
import { posix } from 'node:path';

const REPOSITORY = 'https://github.com/document-service/document-service/blob/main/';
const IMAGE = /\.(png|svg|jpg|webp)$/;
/** Paths of the service that are not pages of this site. */
const SERVICE_PATH = /^\/(dashboard|docs\/try|v1\/|health|metrics)/;

/** Code, which stays as it is, or the start of a link. */
const CODE_OR_LINK = /(^ *```[\s\S]*?^ *```|`[^`\n]+`)|\]\(([^)\s]+)/gm;

/** Not in the build of the image, where links to them cannot be checked. `npm run check:docs` checks them. */
const OUTSIDE_IMAGE = /^(bench|deploy|test|scripts|sdk-python|\.ci|\.github|[^/]+$)/;

/** Resolves the links of Markdown pages, and collects those that lead nowhere. */
export class Links {
  /** Ids on each page, by path. */
  #anchors = new Map();
  /** Links with an anchor, checked when all pages are known. */
  #anchored = [];
  /** Repository paths of images that pages show. */
  images = new Set();
  problems = [];

  constructor(pages, { base, isStatic, origin = '' }) {
    this.base = base;
    this.origin = origin;
    this.isStatic = isStatic;
    this.pagesByFile = new Map(pages.map((page) => [page.file, page]));
  }

  /** Returns the address of a page. Web servers redirect folders to a trailing slash, the service to none. */
  urlOf({ path }) {
    if (path === '') return this.isStatic || this.base === '/' ? this.base : this.base.slice(0, -1);
    return `${this.base}${path}${this.isStatic ? '/' : ''}`;
  }

  /** Stores the ids of a page. */
  addAnchors(page, ids) {
    this.#anchors.set(page.path, new Set(ids));
  }

  /** Returns the address for a link of a page, or `undefined` if only its text is to be shown. */
  resolve(href, page, line) {
    if (/^([a-z][a-z+.-]*:|\/\/)/i.test(href)) return href;
    if (href.startsWith('/')) return this.#servicePath(href, page, line);
    const [path, anchor] = href.split('#');
    const file = path === '' ? page.file : relativeTo(page.file, path);
    const target = this.pagesByFile.get(file);
    if (target) {
      if (anchor !== undefined) this.#anchored.push({ page, line, href, target, anchor });
      if (path === '') return `#${anchor}`;
      return this.urlOf(target) + (anchor === undefined ? '' : `#${anchor}`);
    }
    if (IMAGE.test(file) && existsSync(file)) return this.image(href, page, line);
    return this.#repositoryFile(file, href, page, line);
  }

  /** Returns the address of an image of a page. */
  image(src, page, line) {
    const file = relativeTo(page.file, src);
    if (!existsSync(file)) this.#report(page, line, `shows ${src}, which does not exist`);
    this.images.add(file);
    return `${this.base}images/${posix.basename(file)}`;
  }

  /** Returns Markdown of a page for readers without the repository: its links are addresses of this site or of GitHub. */
  portable(markdown, page) {
    return markdown.replace(CODE_OR_LINK, (found, code, target) =>
      code === undefined ? `](${this.#sourceAddress(target, page)}` : found,
    );
  }

  #sourceAddress(href, page) {
    if (/^([a-z][a-z+.-]*:|[/#])/i.test(href)) return href;
    const [path, anchor] = href.split('#');
    const file = relativeTo(page.file, path);
    const target = this.pagesByFile.get(file);
    const site = this.origin + this.base;
    if (target)
      return `${site}${target.path || 'index'}.md${anchor === undefined ? '' : `#${anchor}`}`;
    if (this.images.has(file)) return `${site}images/${posix.basename(file)}`;
    return repositoryAddress(file, anchor);
  }

  /** Adds a problem for each link whose anchor does not exist. */
  checkAnchors() {
    for (const { page, line, href, target, anchor } of this.#anchored) {
      if (this.#anchors.get(target.path)?.has(anchor)) continue;
      this.#report(page, line, `links to ${href}, but that page has no such heading`);
    }
  }

  #servicePath(href, page, line) {
    if (SERVICE_PATH.test(href)) return this.isStatic ? undefined : href;
    this.#report(
      page,
      line,
      `links to ${href}: link to the .md file instead, relative to the page`,
    );
    return undefined;
  }

  #repositoryFile(file, href, page, line) {
    const isHere = existsSync(file);
    const isUnchecked = OUTSIDE_IMAGE.test(file) && !existsSync('test');
    if (file.startsWith('..') || !(isHere || isUnchecked)) {
      this.#report(page, line, `links to ${href}, which does not exist`);
      return undefined;
    }
    return repositoryAddress(file, href.split('#')[1]);
  }

  #report(page, line, what) {
    this.problems.push(`${page.file}:${line} ${what}.`);
  }
}

function repositoryAddress(file, anchor) {
  const isFolder = existsSync(file) && statSync(file).isDirectory();
  const address = REPOSITORY.replace('blob', isFolder ? 'tree' : 'blob') + file;
  return anchor === undefined ? address : `${address}#${anchor}`;
}

function relativeTo(file, path) {
  return posix.normalize(posix.join(posix.dirname(file), decodeURI(path))).replace(/\/$/, '');
}
