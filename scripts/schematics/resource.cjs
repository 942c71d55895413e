// The files of a resource with a table of its own, and its lines in the lists of the service.
const { posix } = require('node:path');
const {
  applyTemplates,
  apply,
  chain,
  externalSchematic,
  mergeWith,
  move,
  url,
} = require('@angular-devkit/schematics');
const { strings } = require('@angular-devkit/core');

const { camelize, classify, underscore } = strings;

/** Lists that need a line for each resource: the line, and what it precedes. */
const LISTS = {
  'src/tables.ts': [
    [
      /(?=import .*\.\/platform\/database\/tables)/,
      (n) => `import { ${n.TABLES} } from './features/${n.plural}/tables.js';\n`,
    ],
    [
      /(?=import type \{ Schema)/,
      (n) => `import { ${n.Plural}${n.time} } from './migrations/${n.time}-${n.plural}.js';\n`,
    ],
    [/(?=\.\.\.DATABASE_TABLES)/, (n) => `...${n.TABLES}, `],
    [/(?= *\],\n\};\n$)/, (n) => `${n.Plural}${n.time},\n`],
  ],
  'src/platform/basics/identifiers/identifiers.ts': [
    [/(?=\} as const;\nexport type IdKind)/, (n) => `  ${n.kind}: '${n.prefix}',\n`],
  ],
  'src/features/auth/scopes.ts': [
    [/(?= *'\*',\n)/, (n) => `  '${n.plural}:read',\n  '${n.plural}:write',\n`],
    [
      /(?= *'\*': )/,
      (n) =>
        `  '${n.plural}:read': 'Read and list ${n.nouns}',\n  '${n.plural}:write': 'Create, change and delete ${n.nouns}',\n`,
    ],
  ],
  'src/features/audit/audit-actions.ts': [
    [
      /(?=\] as const;)/,
      (n) => ['create', 'update', 'delete'].map((verb) => `  '${n.kind}.${verb}',\n`).join(''),
    ],
  ],
  'packages/client/src/document-service.ts': [
    [
      /(?=import .*'\.\/resources\/webhooks)/,
      (n) => `import { ${n.Plural} } from './resources/${n.plural}.js';\n`,
    ],
    [/(?= *readonly service )/, (n) => `readonly ${n.property} = new ${n.Plural}(this);\n`],
  ],
  'sdk-python/document_service/_client.py': [
    [/(?= *self\.service = )/, (n) => `        self.${n.table} = _operations.${n.Plural}(self)\n`],
  ],
};

/** Returns the forms of the name that the templates use. */
function namesOf(plural, tree) {
  const singular = plural.replace(/ies$/, 'y').replace(/s$/, '');
  if (singular === plural) throw new Error(`Name the resource in the plural: ${plural}s.`);
  const noun = singular.replaceAll('-', ' ');
  const migrations = [...tree.readText('src/tables.ts').matchAll(/(\d{13})-/g)].map(([, time]) =>
    Number(time),
  );
  const prefixes = tree.readText('src/platform/basics/identifiers/identifiers.ts');
  const isFree = (prefix) => !prefixes.includes(`: '${prefix}',`);
  const letters = singular.replaceAll('-', '');
  return {
    plural,
    Plural: classify(plural),
    property: camelize(plural),
    CONSTANT: underscore(plural).toUpperCase(),
    TABLES: `${underscore(plural).toUpperCase()}_TABLES`,
    table: underscore(plural),
    nouns: plural.replaceAll('-', ' '),
    singular,
    Singular: classify(singular),
    variable: camelize(singular),
    noun,
    a: /^[aeiou]/.test(noun) ? 'an' : 'a',
    A: /^[aeiou]/.test(noun) ? 'An' : 'A',
    kind: camelize(singular),
    prefix: [letters.slice(0, 3), letters.slice(0, 4)].find(isFree) ?? letters,
    time: Math.max(Date.now(), ...migrations.map((time) => time + 1)),
  };
}

function addLines(names) {
  return (tree) => {
    for (const [file, lines] of Object.entries(LISTS)) {
      const text = lines.reduce((so, [before, line]) => {
        if (!before.test(so)) throw new Error(`${file} has no place for ${line(names).trim()}`);
        return so.replace(before, line(names));
      }, tree.readText(file));
      tree.overwrite(file, text);
    }
  };
}

/** `nest g resource features/<plural>`. */
exports.resource = (options) => (tree) => {
  const path = posix.join(options.sourceRoot ?? 'src', options.path ?? '', options.name);
  const [folder, plural] = [posix.dirname(path), posix.basename(path)];
  if (folder !== 'src/features')
    throw new Error('Generate resources in features: nest g resource features/widgets');
  const names = namesOf(plural, tree);
  const write = (templates, to) =>
    mergeWith(apply(url(`./resource/${templates}`), [applyTemplates(names), move(to)]));
  return chain([
    externalSchematic('@nestjs/schematics', 'module', options),
    (made) => made.delete(`${path}/${plural}.module.ts`),
    write('feature', path),
    write('migration', 'src/migrations'),
    write('client', 'packages/client/src/resources'),
    write('test', `test/${plural}`),
    addLines(names),
  ]);
};
