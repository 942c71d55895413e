import { readFileSync } from 'node:fs';

/** Lines of a data file by section, in file order. Lines before the first section have the key ''. */
export type Sections = ReadonlyMap<string, readonly string[]>;

/**
 * Reads the data file `name` next to the module with the URL `base` (its `import.meta.url`). A line `[name]` starts a
 * section. A line that starts with `#` is a comment.
 */
export function readSections(base: string, name: string): Sections {
  const sections = new Map<string, string[]>();
  let section = '';
  for (const raw of readFileSync(new URL(name, base), 'utf8').split('\n')) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const heading = /^\[(.+)\]$/.exec(line)?.[1];
    section = heading ?? section;
    const lines = sections.get(section) ?? [];
    if (heading === undefined) lines.push(line);
    sections.set(section, lines);
  }
  return sections;
}

/** Returns the words of a section. Throws if the section does not exist. */
export function wordsIn(sections: Sections, name: string): string[] {
  return linesIn(sections, name).flatMap((line) => line.split(/\s+/));
}

/** Returns the `left > right` lines of a section. Throws if the section does not exist. */
export function pairsIn(sections: Sections, name: string): [left: string, right: string][] {
  return linesIn(sections, name).map((line) => {
    const [left = '', right = ''] = line.split('>');
    return [left.trim(), right.trim()];
  });
}

/** Returns the lines of a section. Throws if the section does not exist. */
export function linesIn(sections: Sections, name: string): readonly string[] {
  const lines = sections.get(name);
  if (!lines) throw new Error(`A data file has no section "${name}".`);
  return lines;
}
