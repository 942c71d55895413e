// Checks the documentation: prints one sentence for each statement that the repository contradicts, and fails.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { slugOf } from '../docs-site/lib/outline.mjs';

const SKIPPED = new Set(['node_modules', 'dist', 'coverage', '.git', '.data', '.tmp']);
const SOURCES = /\.(ts|tsx|mjs|cjs|yaml|yml)$|(^|\/)Dockerfile$/;
const DOCUMENTS =
  /^(README|CONTRIBUTING|CHANGELOG|SECURITY|CODE_OF_CONDUCT|sdk-python\/README)\.md$|^docs\/.+\.md$/;
const ADR = /^docs\/adr\/(\d{4})-[^/]+\.md$/;
const ADR_INDEX = 'docs/adr/README.md';
const ENVIRONMENT = 'src/platform/config/environment.ts';
const CONFIGURATION = 'docs/operate/configuration.md';

/** Text in back-ticks is a path of this repository if it starts with a known folder, or ends like a file. */
const IN_A_FOLDER = /^(src|test|docs|scripts|bench|deploy|\.ci)\/[\w@./-]*$/;
const A_FILE = /^(?!\/)[\w@./-]+\.(ts|mjs|cjs|md|json|yaml|yml)$/;

const files = walk('.');
const baseNames = new Set(files.map((file) => basename(file)));
const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
const documents = files.filter((file) => DOCUMENTS.test(file));
const scripts = JSON.parse(read('package.json')).scripts;

const problems = [
  ...documents.flatMap((file) => [
    ...pathProblems(file),
    ...linkProblems(file),
    ...scriptProblems(file),
  ]),
  ...files.filter((file) => SOURCES.test(file)).flatMap(commentProblems),
  ...variableProblems(),
  ...decisionProblems(),
];
for (const problem of problems) process.stderr.write(`${problem}\n`);
if (problems.length > 0) process.exit(1);
console.log(`${documents.length} documents agree with the repository.`);

function walk(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (SKIPPED.has(entry.name)) return [];
    const path = join(folder, entry.name);
    return entry.isDirectory() ? walk(path) : [path];
  });
}

/** Checks paths in back-ticks outside code blocks. Code blocks may show files that the reader is about to create. */
function pathProblems(file) {
  return proseLines(file).flatMap(({ text, line }) =>
    [...text.matchAll(/`([^`\s]+)`/g)]
      .map(([, code]) => code.replace(/:\d+$/, ''))
      .filter((path) => (IN_A_FOLDER.test(path) || A_FILE.test(path)) && !exists(path, file))
      .map((path) => `${file}:${line} names ${path}, which does not exist: correct or remove it.`),
  );
}

function linkProblems(file) {
  return proseLines(file).flatMap(({ text, line }) =>
    [...text.replace(/`[^`]*`/g, '').matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target]) => target)
      .filter((target) => !/^[a-z]+:/i.test(target) && !leadsSomewhere(target, file))
      .map(
        (target) => `${file}:${line} links to ${target}, which does not exist: correct the link.`,
      ),
  );
}

function scriptProblems(file) {
  return linesOf(file).flatMap(({ text, line }) =>
    [...text.matchAll(/npm run (?:-s |--silent )?([a-z][\w:-]*)/g)]
      .filter(([, name]) => !Object.hasOwn(scripts, name))
      .map(
        ([, name]) => `${file}:${line} runs the script ${name}, which package.json does not have.`,
      ),
  );
}

/**
 * Skips SQL comments: they are part of the checksums of released migrations, so they cannot follow a renamed document.
 */
function commentProblems(file) {
  const lines = linesOf(file).filter(({ text }) => !/^\s*--\s/.test(text));
  return lines.flatMap(({ text, line }) =>
    [...text.matchAll(/(?<![\w/.-])docs\/[\w./-]*\.\w+/g)]
      .filter(([path]) => !existsSync(path))
      .map(
        ([path]) => `${file}:${line} points at ${path}, which does not exist: correct the comment.`,
      ),
  );
}

/** The settings table must have one row for each variable that the service reads, and no others. */
function variableProblems() {
  const declared = new Set(matches(read(ENVIRONMENT), /^ {2}([A-Z][A-Z0-9_]*):/gm));
  const described = new Set(matches(read(CONFIGURATION), /^\| `([A-Z][A-Z0-9_]*)`/gm));
  const missing = [...declared].filter((name) => !described.has(name));
  const unknown = [...described].filter((name) => !declared.has(name));
  return [
    ...missing.map(
      (name) =>
        `${CONFIGURATION} does not describe ${name} of ${ENVIRONMENT}: add a row to its table.`,
    ),
    ...unknown.map(
      (name) =>
        `${CONFIGURATION} describes ${name}, which ${ENVIRONMENT} does not read: remove the row.`,
    ),
  ];
}

function decisionProblems() {
  const records = files.filter((file) => ADR.test(file));
  const numbers = records.map((file) => ADR.exec(file)[1]);
  const index = existsSync(ADR_INDEX) ? read(ADR_INDEX) : '';
  return records.flatMap((file, place) => {
    const first = records[numbers.indexOf(numbers[place])];
    const twice = `${file} has the number of ${first}: give the later decision the next free one.`;
    const unlisted = `${file} is not listed in ${ADR_INDEX}: add its line.`;
    return [
      ...(first === file ? [] : [twice]),
      ...(index.includes(basename(file)) ? [] : [unlisted]),
    ];
  });
}

/** A path is relative to the root, to src/ or to the document's folder. A file name alone can be anywhere. */
function exists(path, file) {
  if (!path.includes('/') && baseNames.has(path)) return true;
  return ['.', 'src', 'test', dirname(file)].some((folder) => existsSync(join(folder, path)));
}

function leadsSomewhere(target, file) {
  const [path, anchor] = target.split('#');
  const reached = path === '' ? file : normalize(join(dirname(file), path));
  if (!existsSync(reached)) return false;
  return anchor === undefined || anchorsOf(reached).has(anchor);
}

function anchorsOf(file) {
  const titles = proseLines(file).map(({ text }) => /^#+ (.+)$/.exec(text)?.[1]);
  return new Set(titles.filter((title) => title !== undefined).map(slugOf));
}

function linesOf(file) {
  return read(file)
    .split('\n')
    .map((text, index) => ({ text, line: index + 1 }));
}

/** Returns the lines outside fenced code blocks. */
function proseLines(file) {
  let fenced = false;
  return linesOf(file).filter(({ text }) => {
    if (/^\s*```/.test(text)) {
      fenced = !fenced;
      return false;
    }
    return !fenced;
  });
}

function matches(text, pattern) {
  return [...text.matchAll(pattern)].map(([, name]) => name);
}
