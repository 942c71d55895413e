import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';

const FOLDER = 'docs-site/assets';
const { resolve: resolveModule } = createRequire(import.meta.url);

/**
 * Reads the scripts, styles, icons and fonts. Their names get a hash of their content, so that browsers keep them forever. Scripts
 * import each other by these names.
 */
export function readAssets(base) {
  const contents = new Map(
    readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name))]),
  );
  contents.set('minisearch.js', readFileSync(libraryFile()));
  for (const family of ['geist', 'geist-mono']) {
    const file = `@fontsource-variable/${family}/files/${family}-latin-wght-normal.woff2`;
    contents.set(`${family}.woff2`, readFileSync(resolveModule(file)));
  }
  // It must go with the fonts.
  const license = resolveModule('@fontsource-variable/geist/LICENSE');
  contents.set('geist-license.txt', readFileSync(license));
  const names = new Map();
  for (const name of inOrderOfImports(contents)) {
    let content = contents.get(name);
    if (name.endsWith('.js')) {
      content = Buffer.from(
        String(content)
          .replace(/\n\/\/# sourceMappingURL=.*/, '')
          .replace(/(from |import\()'(?:\.\/)?([\w-]+)(?:\.js)?'/g, (all, before, other) =>
            names.has(`${other}.js`) ? `${before}'./${names.get(`${other}.js`)}'` : all,
          ),
      );
    }
    if (name.endsWith('.css')) {
      content = Buffer.from(
        String(content).replace(/url\(([\w.-]+)\)/g, (_, other) => `url(${names.get(other)})`),
      );
    }
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 10);
    const extension = extname(name);
    names.set(name, `${name.slice(0, -extension.length)}-${hash}${extension}`);
    contents.set(name, content);
  }
  const urls = Object.fromEntries(
    [...names].map(([name, hashed]) => [name, `${base}assets/${hashed}`]),
  );
  return {
    urls,
    write(folder) {
      mkdirSync(join(folder, 'assets'), { recursive: true });
      for (const [name, content] of contents)
        writeFileSync(join(folder, 'assets', names.get(name)), content);
    },
  };
}

function libraryFile() {
  return resolveModule('minisearch').replace(/cjs.index\.cjs$/, join('es', 'index.js'));
}

/** Returns the names in an order in which each file comes after those that it names: scripts imports, styles fonts. */
function inOrderOfImports(contents) {
  const order = [];
  const visit = (name) => {
    if (order.includes(name) || !contents.has(name)) return;
    if (name.endsWith('.js'))
      for (const [, other] of String(contents.get(name)).matchAll(
        /(?:from |import\()'(?:\.\/)?([\w-]+)(?:\.js)?'/g,
      ))
        visit(`${other}.js`);
    order.push(name);
  };
  for (const name of contents.keys()) if (!name.endsWith('.css')) visit(name);
  return [...order, ...[...contents.keys()].filter((name) => name.endsWith('.css'))];
}
