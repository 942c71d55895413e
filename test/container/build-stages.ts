import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { contextFiles, readStages, type Instruction, type Stage } from './dockerfile.js';

/** A stage that was built in a folder of this machine. */
export interface BuiltStage {
  /** The folder that stands for `/`. */
  root: string;
  workingDirectory: string;
  environment: Record<string, string>;
  /** The words of CMD. */
  command: string[];
}

interface LockedPackage {
  /** The folder of a local package, which is a link. */
  resolved?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
}

/**
 * Builds the stages of the Dockerfile under `folder`, without an image. COPY only takes files from the build context, RUN
 * runs in the stage's folder, and `npm ci` takes registry packages from this checkout and local packages from the stage.
 * Returns the last stage. Throws if a real build would fail.
 */
export function buildStages(folder: string): BuiltStage {
  const context = contextFiles('.');
  const built = new Map<string, BuiltStage>();
  let last: BuiltStage | undefined;
  for (const stage of readStages('Dockerfile')) {
    last = buildStage(stage, join(folder, stage.name), context, built);
    built.set(stage.name, last);
  }
  if (!last) throw new Error('The Dockerfile has no stage.');
  return last;
}

function buildStage(
  { base, instructions }: Stage,
  root: string,
  context: ReadonlySet<string>,
  built: ReadonlyMap<string, BuiltStage>,
): BuiltStage {
  const from = built.get(base);
  const stage: BuiltStage = {
    root,
    workingDirectory: from?.workingDirectory ?? '/',
    environment: { ...from?.environment },
    command: from?.command ?? [],
  };
  mkdirSync(root, { recursive: true });
  if (from) copyTree(from.root, root);
  for (const instruction of instructions) {
    if (instruction.name === 'WORKDIR') {
      stage.workingDirectory = instruction.text;
      mkdirSync(inStage(stage, '.'), { recursive: true });
    }
    if (instruction.name === 'ENV') Object.assign(stage.environment, variables(instruction.text));
    if (instruction.name === 'CMD') stage.command = JSON.parse(instruction.text) as string[];
    if (instruction.name === 'COPY') copy(instruction, stage, context, built);
    if (instruction.name === 'RUN') run(instruction.text, stage);
  }
  return stage;
}

/** Returns the path of a COPY or WORKDIR line on this machine. */
export const inStage = ({ root, workingDirectory }: BuiltStage, path: string) =>
  path.startsWith('/') ? join(root, path) : join(root, workingDirectory, path);

const variables = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)=(\S+)/g)].map(([, key = '', value = '']) => [key, value]),
  );

function copy(
  { text, flags }: Instruction,
  stage: BuiltStage,
  context: ReadonlySet<string>,
  built: ReadonlyMap<string, BuiltStage>,
): void {
  const paths = text.split(/\s+/);
  const target = paths.pop() ?? '';
  const isFolder = target.endsWith('/') || paths.length > 1;
  for (const source of paths) {
    if (flags['from'] !== undefined) {
      const other = built.get(flags['from']);
      if (!other) throw new Error(`COPY --from=${flags['from']} names no earlier stage.`);
      copyTree(inStage(other, source), inStage(stage, target));
      continue;
    }
    const clean = source.replace(/^\.?\/|\/$/g, '');
    const files = [...context].filter((file) => file === clean || file.startsWith(`${clean}/`));
    if (files.length === 0) throw new Error(`COPY ${source}: it is not in the build context.`);
    for (const file of files) {
      const name =
        file === clean ? (isFolder ? file.split('/').at(-1) : '') : relative(clean, file);
      const path = inStage(stage, join(target, name ?? ''));
      mkdirSync(dirname(path), { recursive: true });
      cpSync(file, path);
    }
  }
}

function run(text: string, stage: BuiltStage): void {
  const command = text.replaceAll(/\s+/g, ' ');
  if (command.startsWith('npm ci')) {
    installPackages(command, stage);
  } else if (/^(npm run|find node_modules|rm -rf node_modules\/\S+|node) /.test(command)) {
    shell(command, stage);
  } else if (!/^rm -rf (\/\S+ ?)+$/.test(command)) {
    // An absolute path refers to a file of the base image, which does not exist here.
    throw new Error(
      `test/container/build-stages.ts cannot run this step outside of an image: ${text}`,
    );
  }
}

function shell(command: string, stage: BuiltStage): void {
  const { PATH = '', HOME = '' } = process.env;
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', command], {
    cwd: inStage(stage, '.'),
    env: { PATH, HOME, ...stage.environment },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`RUN ${command} failed:\n${stdout}${stderr}`);
}

/** Installs the packages in the stage's package-lock.json, as `npm ci` would, from the packages of this checkout. */
function installPackages(command: string, stage: BuiltStage): void {
  const omits = (kind: string) => command.includes(`--omit=${kind}`);
  const { packages } = JSON.parse(readFileSync(inStage(stage, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  copyTree('node_modules', inStage(stage, 'node_modules'));
  for (const [path, entry] of Object.entries(packages)) {
    if (isOmitted(entry, omits)) {
      rmSync(inStage(stage, path), { recursive: true, force: true });
    } else if (entry.link && !existsSync(inStage(stage, `${entry.resolved ?? ''}/package.json`))) {
      throw new Error(`npm ci: ${entry.resolved ?? path} is not there. COPY it before this step.`);
    }
  }
}

function isOmitted(
  { dev = false, optional = false, devOptional = false }: LockedPackage,
  omits: (kind: string) => boolean,
): boolean {
  if (devOptional) return omits('dev') && omits('optional');
  return (dev && omits('dev')) || (optional && omits('optional'));
}

/** Copies a file or a folder with its symbolic links. Uses hard links where possible. */
function copyTree(source: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  const from = statSync(source).isDirectory() ? `${source}/.` : source;
  const cp = (flags: string) => spawnSync('cp', [flags, from, target], { encoding: 'utf8' });
  if (cp('-al').status === 0) return;
  const { status, stderr } = cp('-a');
  if (status !== 0) throw new Error(stderr);
}
