import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

export interface Instruction {
  name: string;
  /** The text after the name, without flags, on one line. */
  text: string;
  flags: Record<string, string>;
}

/** A `FROM` line and the instructions below it. */
export interface Stage {
  name: string;
  /** An earlier stage, or an image. */
  base: string;
  instructions: Instruction[];
}

export function readStages(path: string): Stage[] {
  const stages: Stage[] = [];
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => !/^\s*#/.test(line))
    .join('\n')
    .replaceAll(/\\\n/g, ' ')
    .split('\n');
  for (const line of lines.map((text) => text.trim()).filter((text) => text !== '')) {
    const instruction = readInstruction(line);
    if (instruction.name === 'FROM') {
      const [base = '', , name = String(stages.length)] = instruction.text.split(/\s+/);
      stages.push({ name, base, instructions: [] });
    } else {
      stages.at(-1)?.instructions.push(instruction);
    }
  }
  return stages;
}

function readInstruction(line: string): Instruction {
  const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
  const flags: Record<string, string> = {};
  const text = rest.replaceAll(/^(?:--[\w-]+(?:=\S+)?\s+)+/g, (found) => {
    for (const flag of found.trim().split(/\s+/)) {
      const [key = '', ...value] = flag.slice(2).split('=');
      flags[key] = value.join('=');
    }
    return '';
  });
  return { name: name.toUpperCase(), text: text.trim(), flags };
}

/**
 * Returns the files of the build context, as paths relative to the project's root. As in Docker, a pattern applies to
 * everything below its match, and the last matching pattern decides.
 */
export function contextFiles(root: string): Set<string> {
  const rules = readFileSync(posix.join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const pattern = posix.normalize(line.replace(/^!/, '')).replaceAll(/^\/|\/$/g, '');
      return { isIgnored: !line.startsWith('!'), pattern, matcher: matcherOf(pattern) };
    });
  const isIgnored = (path: string) =>
    rules.findLast(({ matcher }) => withParents(path).some((part) => matcher.test(part)))
      ?.isIgnored ?? false;
  /** True if a pattern may re-include something below an ignored folder. */
  const mayReturn = (folder: string) =>
    rules.some(
      (rule) =>
        !rule.isIgnored &&
        (rule.pattern.startsWith(`${folder}/`) || /^[^/]*\*\*/.test(rule.pattern)),
    );
  const files = new Set<string>();
  const walk = (folder: string) => {
    for (const entry of readdirSync(posix.join(root, folder), { withFileTypes: true })) {
      const path = posix.join(folder, entry.name);
      if (entry.isDirectory()) {
        if (!isIgnored(path) || mayReturn(path)) walk(path);
      } else if (!isIgnored(path)) {
        files.add(path);
      }
    }
  };
  walk('');
  return files;
}

/** `*` and `?` match within a name, including dots. `**` matches any number of folders. */
function matcherOf(pattern: string): RegExp {
  const source = pattern.replaceAll(/\*\*\/|\*\*|\*|\?|[.+^${}()|\\]/g, (token) => {
    if (token === '**/') return '(?:.*/)?';
    if (token === '**') return '.*';
    if (token === '*') return '[^/]*';
    return token === '?' ? '[^/]' : `\\${token}`;
  });
  return new RegExp(`^${source}$`);
}

/** `a/b/c`, `a/b` and `a`. */
function withParents(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('/'));
}
