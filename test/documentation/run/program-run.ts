import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Values that a page states, by line: `console.log(x); // value` or `print(x)  # value`. */
export type Stated = ReadonlyMap<number, string>;

export interface ProgramRun {
  /** Undefined if it did not end. */
  exitCode: number | null | undefined;
  stated: Stated;
  /** What each line printed. */
  printed: ReadonlyMap<number, readonly string[]>;
  /** Standard output and standard error. */
  output: string;
}

/** A line of the file `RECORD`: output of a line of the page, or the values that the page states. */
interface RecordedLine {
  line?: number;
  text?: string;
  stated?: Readonly<Record<string, string>>;
}

const TIME_LIMIT_MS = 60_000;
/** A program that still runs so long after its last stated line leaves something open: a server, a stream or a timer. */
const ENDS_WITHIN_MS = 10_000;

/** Runs a page's program. Without `stated`, the program records the values that the page states. */
export async function runProgram(
  [command = '', ...words]: readonly string[],
  options: { folder: string; environment: NodeJS.ProcessEnv; stated?: Stated | undefined },
): Promise<ProgramRun> {
  const record = join(options.folder, '.record');
  writeFileSync(record, '');
  const child = spawn(command, words, {
    cwd: options.folder,
    env: { ...options.environment, RECORD: record, PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes: Buffer) => (output += bytes.toString()));
  }
  let failure: Error | undefined;
  child.once('error', (error) => (failure = error));
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  const exitCode = await Promise.race([closed, untilDone(record, options.stated)]);
  child.kill('SIGKILL');
  await closed;
  if (failure) throw failure;
  const { stated, printed } = recordedIn(record);
  return { exitCode, stated: options.stated ?? stated, printed, output };
}

/** Resolves some time after all stated lines have printed, or at the time limit. */
async function untilDone(record: string, given: Stated | undefined): Promise<undefined> {
  const end = Date.now() + TIME_LIMIT_MS;
  let complete: number | undefined;
  while (Date.now() < end) {
    await pause(50);
    const { stated, printed } = recordedIn(record);
    const wanted = given ?? stated;
    const isComplete = wanted.size > 0 && [...wanted.keys()].every((line) => printed.has(line));
    complete = isComplete ? (complete ?? Date.now()) : undefined;
    if (complete !== undefined && Date.now() - complete > ENDS_WITHIN_MS) return undefined;
  }
  return undefined;
}

function recordedIn(record: string): { stated: Stated; printed: Map<number, string[]> } {
  const lines = readFileSync(record, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as RecordedLine);
  const printed = new Map<number, string[]>();
  for (const { line, text = '' } of lines) {
    if (line !== undefined) printed.set(line, [...(printed.get(line) ?? []), text]);
  }
  const stated = Object.entries(lines.find((line) => line.stated)?.stated ?? {});
  return { stated: new Map(stated.map(([line, value]) => [Number(line), value])), printed };
}
