// Nest's generators, for a service with ES modules and TypeORM. The version of @nestjs/schematics that writes extensions
// needs Node.js 22. This one also runs on 20, but omits them.
const { basename, dirname, join } = require('node:path').posix;
const { chain, externalSchematic } = require('@angular-devkit/schematics');
const { schematics } = require('./collection.json');

/** A relative import or export without an extension. */
const RELATIVE = /(\bfrom\s+')(\.{1,2}\/[^']+?)(?<!\.js)(')/g;

/** Adds `.js` to the relative imports in generated or changed TypeScript files. */
function addExtensions(tree) {
  for (const { kind, path } of [...tree.actions]) {
    if (!['c', 'o'].includes(kind) || !path.endsWith('.ts')) continue;
    const text = tree.readText(path);
    const isFile = (target) => tree.exists(join(dirname(path), `${target}.ts`));
    const extended = text.replace(RELATIVE, (whole, before, target, after) =>
      isFile(target) ? `${before}${target}.js${after}` : whole,
    );
    if (extended !== text) tree.overwrite(path, extended);
  }
}

/** Makes the entity of a generated resource a table, whose TypeORM repository Nest injects into the service. */
function addTable(tree) {
  const path = tree.actions.map((action) => action.path).find((one) => one.endsWith('.entity.ts'));
  if (path === undefined) return;
  const folder = dirname(dirname(path));
  const feature = basename(folder);
  const table = feature.replaceAll('-', '_');
  const entity = `${/class (\w+)/.exec(tree.readText(path))[1]}Entity`;
  const file = `./entities/${basename(path, '.ts')}`;
  const property = feature.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
  const change = (name, ...pairs) => {
    const text = tree.readText(`${folder}/${name}`);
    const changed = pairs.reduce((so, [from, to]) => so.replace(from, to), text);
    tree.overwrite(`${folder}/${name}`, changed);
  };
  tree.overwrite(
    path,
    `import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('${table}')
export class ${entity} {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: '${table}_pkey' })
  id: string;

  @Column('uuid', { name: 'account_id' })
  accountId: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3 })
  createdAt: Date;
}
`,
  );
  tree.create(
    `${folder}/tables.ts`,
    `import { ${entity} } from '${file}';\n\nexport const ${table.toUpperCase()}_TABLES = [${entity}];\n`,
  );
  change(
    `${feature}.module.ts`,
    [/import \{ Module \}.*\n/, `$&import { TypeOrmModule } from '@nestjs/typeorm';\n`],
    [
      /\n@Module\(\{\n/,
      `import { ${entity} } from '${file}';\n$&  imports: [TypeOrmModule.forFeature([${entity}])],\n`,
    ],
  );
  change(
    `${feature}.service.ts`,
    [
      /import \{ Injectable \}.*\n/,
      `$&import { InjectRepository } from '@nestjs/typeorm';\nimport { Repository } from 'typeorm';\n`,
    ],
    [/\n@Injectable/, `import { ${entity} } from '${file}';\n$&`],
    [
      /export class .*\{\n/,
      `$&  constructor(\n    @InjectRepository(${entity}) private readonly ${property}: Repository<${entity}>,\n  ) {}\n\n`,
    ],
  );
}

for (const name of Object.keys(schematics)) {
  const generate = (options) => externalSchematic('@nestjs/schematics', name, options);
  exports[name] = (options) =>
    chain([generate(options), ...(name === 'resource' ? [addTable] : []), addExtensions]);
}
