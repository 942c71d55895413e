// Nest's generators, for a service with ES modules. The version of @nestjs/schematics that writes extensions needs
// Node.js 22. This one also runs on 20, but omits them.
const { dirname, join, resolve } = require('node:path').posix;
const { chain, externalSchematic } = require('@angular-devkit/schematics');
const { schematics } = require('./collection.json');
const { resource } = require('./resource.cjs');

/** A relative import or export without an extension. */
const RELATIVE = /(\bfrom\s+')(\.{1,2}\/[^']+?)(?<!\.js)(')/g;

/** Adds `.js` to the relative imports in generated or changed TypeScript files, and formats them. */
async function addExtensions(tree) {
  const { format, resolveConfig } = await import('prettier');
  const style = await resolveConfig(resolve('src/main.ts'), { editorconfig: true });
  for (const { kind, path } of [...tree.actions]) {
    if (!['c', 'o'].includes(kind) || !path.endsWith('.ts')) continue;
    const text = tree.readText(path);
    const isFile = (target) => tree.exists(join(dirname(path), `${target}.ts`));
    const extended = text.replace(RELATIVE, (whole, before, target, after) =>
      isFile(target) ? `${before}${target}.js${after}` : whole,
    );
    const formatted = await format(extended, { ...style, parser: 'typescript' });
    if (formatted !== text) tree.overwrite(path, formatted);
  }
}

for (const name of Object.keys(schematics)) {
  const generate = (options) => externalSchematic('@nestjs/schematics', name, options);
  exports[name] = (options) =>
    chain([name === 'resource' ? resource(options) : generate(options), addExtensions]);
}
