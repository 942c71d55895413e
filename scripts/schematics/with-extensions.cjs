// Nest's generators for a service of ES modules. The version of @nestjs/schematics that writes extensions itself needs
// Node.js 22; this one runs on 20 too and leaves them out.
const { posix } = require('node:path');
const { chain, externalSchematic } = require('@angular-devkit/schematics');
const { schematics } = require('./collection.json');

/** A relative import or export without an extension. */
const RELATIVE = /(\bfrom\s+')(\.{1,2}\/[^']+?)(?<!\.js)(')/g;

/** Adds `.js` to the relative imports of what was generated or changed, where they name a file of TypeScript. */
function addExtensions(tree) {
  for (const { kind, path } of [...tree.actions]) {
    if (!['c', 'o'].includes(kind) || !path.endsWith('.ts')) continue;
    const text = tree.readText(path);
    const isFile = (target) => tree.exists(posix.join(posix.dirname(path), `${target}.ts`));
    const extended = text.replace(RELATIVE, (whole, before, target, after) =>
      isFile(target) ? `${before}${target}.js${after}` : whole,
    );
    if (extended !== text) tree.overwrite(path, extended);
  }
}

for (const name of Object.keys(schematics)) {
  exports[name] = (options) =>
    chain([externalSchematic('@nestjs/schematics', name, options), addExtensions]);
}
