import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';

const FOLDER = 'docs-site/assets';

/**
 * Reads the scripts, styles and icons. Their names get a hash of their content, so that browsers keep them forever. Scripts
 * import each other by these names.
 */
export function readAssets(base) {
  const contents = new Map(
    readdirSync(FOLDER).map((name) => [name, readFileSync(join(FOLDER, name))]),
  );
  contents.set('minisearch.js', readFileSync(libraryFile()));
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
  return createRequire(import.meta.url)
    .resolve('minisearch')
    .replace(/cjs.index\.cjs$/, join('es', 'index.js'));
}

/** Returns the names in an order in which each script comes after those that it imports. */
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
  for (const name of contents.keys()) visit(name);
  return order;
}
