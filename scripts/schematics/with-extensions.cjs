// Nest's generators, for a service with ES modules. The version of @nestjs/schematics that writes extensions needs
// Node.js 22. This one also runs on 20, but omits them.
const { posix } = require('node:path');
const { chain, externalSchematic } = require('@angular-devkit/schematics');
const { schematics } = require('./collection.json');

/** A relative import or export without an extension. */
const RELATIVE = /(\bfrom\s+')(\.{1,2}\/[^']+?)(?<!\.js)(')/g;

/** Adds `.js` to the relative imports in generated or changed TypeScript files. */
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
