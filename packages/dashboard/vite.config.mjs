import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defaultClientConditions, defineConfig } from 'vite';
import { compressFolder } from '../../scripts/compress-folder.mjs';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Adds a classic script with a hash in its name. It must run before the first paint, but Vite only bundles modules,
 * which run later.
 */
function blockingScript(path) {
  const source = readFileSync(here(path), 'utf8');
  const hash = createHash('sha256').update(source).digest('base64url').slice(0, 8);
  const fileName = `assets/color-scheme-${hash}.js`;
  let isBuild = false;
  return {
    name: 'blocking-script',
    configResolved({ command }) {
      isBuild = command === 'build';
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source });
    },
    transformIndexHtml: {
      order: 'post',
      handler: () => {
        const src = isBuild ? `/dashboard/${fileName}` : `/dashboard/${path}`;
        return [{ tag: 'script', attrs: { src }, injectTo: 'head' }];
      },
    },
  };
}

/** Loads the face of the interface with the page instead of after its styles. The license must go with the files. */
const fonts = {
  name: 'fonts',
  apply: 'build',
  generateBundle() {
    const path = '../../node_modules/@fontsource-variable/geist/LICENSE';
    this.emitFile({
      type: 'asset',
      fileName: 'assets/geist-license.txt',
      source: readFileSync(here(path)),
    });
  },
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) => {
      const file = Object.keys(bundle).find((name) =>
        /\/geist-latin-wght-normal-[\w-]+\.woff2$/.test(name),
      );
      const attrs = {
        rel: 'preload',
        as: 'font',
        type: 'font/woff2',
        crossorigin: '',
        href: `/dashboard/${file}`,
      };
      return [{ tag: 'link', attrs, injectTo: 'head' }];
    },
  },
};

const compressBuild = {
  name: 'compress-build',
  apply: 'build',
  closeBundle: () => compressFolder(here('dist'), { quality: 11 }),
};

/** Small modules that most pages share. */
const COMMON =
  /dashboard\/src\/(?:api\/(?!api-url|collections|curl|event-types|members|publishing|titles)|components\/(?:charts\/|address-tabs|button-link|copy-button|empty-state|focus-lost|limits-table|meter|numbers|quotas|return-focus|roving-focus|time\.|use-allowance|words)|pages\/(?:overview\/time-ranges|people\/roles|webhooks\/webhook-name))/;

/** Modules of pages with lists and dialogs. */
const LISTS =
  /dashboard\/src\/(?:api\/(?:api-url|curl|event-types|members)|components\/(?:code-block|confirm-dialog|data-table|dialog|facts|filters|pager|save-file|scoped-button|scroll-frame|side-panel)|pages\/documents\/delete-document)|core\/esm\/components\/Progress\/|hooks\/esm\/use-debounced-value\//;

/** Filters as chips and links by name, which several lists share. */
const NAMES =
  /dashboard\/src\/(?:api\/(?:service-accounts|titles)|components\/(?:app-host|choice-list|copyable|document-link|filter-chips|filter-popover|shown-once|short-id|time-range|typed-time)|pages\/(?:audit\/resource-link|events\/event-links|jobs\/job-queries|proposals\/sender|requests\/(?:key-name|requests\.module|status-badge)|webhooks\/webhook-(?:link|queries)))/;

/** Forms about people, and the choices that they share with keys. */
const PEOPLE = /dashboard\/src\/pages\/people\/|core\/esm\/components\/Radio\//;

/** Small modules that the document page shares with other pages. */
const DOCUMENT =
  /dashboard\/src\/(?:api\/(?:collections|publishing)|components\/(?:row-menu|undo-message)|stream\/su|pages\/(?:events\/event-subject|folders\/folder-right|documents\/(?:convert-file|document-types|export-items|status-badge|editor\/(?:drafts|first-line|texts))))|core\/esm\/components\/(?:Badge|Textarea)\/|diff\/libesm\/diff\/(?:array|base)|hooks\/esm\/use-hotkeys\//;

/** Modules that only the pages of documents in a folder need. */
const FOLDER = /dashboard\/src\/pages\/folders\/(?:document-crumbs|folder-crumbs|folders\.)/;

/** The tree of folders, and its dialogs and fields. Pages with fields for folders need the scopes, too. */
const FOLDERS =
  /dashboard\/src\/pages\/folders\/(?:drag|folder-(?:choice|icons|menu|names|tree)|folders-field|move-|rights|target-folder|use-move)|features\/auth\/scopes/;

/** `DASHBOARD_API` is a running service for `npm run dev:dashboard`. */
const service = process.env.DASHBOARD_API ?? 'http://localhost:3000';

export default defineConfig({
  root: here('.'),
  base: '/dashboard/',
  plugins: [blockingScript('./src/theme/color-scheme.cjs'), fonts, compressBuild],
  resolve: {
    // Builds packages of this repository from their sources.
    conditions: ['document-service-source', ...defaultClientConditions],
    // The browser parses pasted HTML.
    alias: Object.fromEntries(
      ['htmlparser2', 'entities'].map((name) => [
        name,
        here('src/pages/documents/editor/paste/dom-parser.ts'),
      ]),
    ),
  },
  // Inlines no files, because the policy forbids fonts and styles from data URLs.
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    reportCompressedSize: false,
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      // Mantine marks its components for server rendering, which is not used here.
      onLog: (level, log, handle) => {
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
      },
      output: {
        codeSplitting: {
          groups: [
            { name: 'shell', tags: ['$initial'], priority: 3 },
            // Small modules of many pages. Without this group, a page would load about thirty tiny files.
            { name: 'common', test: COMMON, minShareCount: 2, priority: 2 },
            { name: 'lists', test: LISTS, minShareCount: 2 },
            { name: 'names', test: NAMES, minShareCount: 2 },
            { name: 'people', test: PEOPLE, minShareCount: 2 },
            { name: 'document', test: DOCUMENT, minShareCount: 2, priority: 2 },
            { name: 'folder', test: FOLDER, priority: 1 },
            { name: 'folders', test: FOLDERS },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '/dashboard/api': { target: service, headers: { origin: service } },
      '/dashboard/receivers': service,
    },
  },
});
