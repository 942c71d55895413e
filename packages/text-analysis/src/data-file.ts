import { readFileSync } from 'node:fs';

/** Lines of a data file by section, in the order of the file. Lines before the first section belong to ''. */
export type Sections = ReadonlyMap<string, readonly string[]>;

/**
 * Reads the text file `name` beside the module at `base`, which is its `import.meta.url`. A line `[name]` begins a section,
 * and a line that begins with `#` is a comment.
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

/** The words of a section; throws if the file has no such section. */
export function wordsIn(sections: Sections, name: string): string[] {
  return linesIn(sections, name).flatMap((line) => line.split(/\s+/));
}

/** The lines `left > right` of a section; throws if the file has no such section. */
export function pairsIn(sections: Sections, name: string): [left: string, right: string][] {
  return linesIn(sections, name).map((line) => {
    const [left = '', right = ''] = line.split('>');
    return [left.trim(), right.trim()];
  });
}

/** The lines of a section; throws if the file has no such section. */
export function linesIn(sections: Sections, name: string): readonly string[] {
  const lines = sections.get(name);
  if (!lines) throw new Error(`A data file has no section "${name}".`);
  return lines;
}
