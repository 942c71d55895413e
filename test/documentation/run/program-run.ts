import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Block } from './blocks.js';

const TIME_LIMIT_MS = 60_000;

/** `console.log(x); // value` or `print(x)  # value`. The call may begin on an earlier line. */
const STATED = /^(?:.*\b(?:console\.log|print)\(.*|\s*)\)(?:; \/\/| {2}#) (.+)$/;

/** Returns the values that a page states for its output, with their lines. */
export function statedValues(
  blocks: readonly Block[],
  language: Block['language'],
): { line: number; value: string }[] {
  return blocks
    .filter((block) => block.language === language)
    .flatMap(({ line, code }) =>
      code.split('\n').flatMap((text, index) => {
        const value = STATED.exec(text)?.[1];
        return value === undefined ? [] : [{ line: line + index, value }];
      }),
    );
}

/** Runs a page's program. Returns what it printed. Throws unless it ends in time and with code 0. */
export async function runProgram(
  [command = '', ...words]: readonly string[],
  { folder, environment }: { folder: string; environment: NodeJS.ProcessEnv },
): Promise<string> {
  const options = {
    cwd: folder,
    env: { ...environment, PYTHONDONTWRITEBYTECODE: '1' },
    timeout: TIME_LIMIT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: 2 ** 26,
  } as const;
  try {
    return (await promisify(execFile)(command, words, options)).stdout;
  } catch (error) {
    const { killed, code, stdout, stderr } = error as Record<string, unknown>;
    const end = killed ? 'did not end in time' : `ended with code ${String(code)}`;
    throw new Error(`the program ${end}:\n${String(stdout)}${String(stderr)}`, { cause: error });
  }
}
