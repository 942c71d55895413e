// Reads .env in the working directory into the environment, as `docker compose` does. Variables that are already set win.
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

const FILE = '.env';
/** A quoted value may span several lines. */
const ASSIGNMENT =
  /^[ \t]*(?:export[ \t]+)?[A-Za-z_][\w.-]*[ \t]*=[ \t]*(?:"(?:[^"\\]|\\[^])*"|'[^']*'|`[^`]*`|[^"'`\n][^\n]*|)[ \t]*(?:#[^\n]*)?$/gm;
const NOTHING = /^[ \t]*(?:#[^\n]*)?$/;

const text = read();
if (text !== undefined) {
  const wrong = wrongLine(text);
  if (wrong !== undefined) {
    fail(
      `Line ${wrong} of ${FILE} is not of the form NAME=value (a value with quotes ends with the same quote). Correct it and start again.`,
    );
  }
  for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value;
}

function read() {
  try {
    return readFileSync(FILE, 'utf8')
      .replace(/^\uFEFF/, '')
      .replaceAll('\r\n', '\n');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    return fail(
      `${FILE} cannot be read (${error.code}). Make it a file that this user may read, or remove it.`,
    );
  }
}

/**
 * Returns the number of the first line that is not part of an assignment. Never prints its text, which may contain a
 * secret.
 */
function wrongLine(text) {
  const rest = text.replace(ASSIGNMENT, (lines) => lines.replace(/[^\n]/g, ''));
  const at = rest.split('\n').findIndex((line) => !NOTHING.test(line));
  return at === -1 ? undefined : at + 1;
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
