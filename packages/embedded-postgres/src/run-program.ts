import { spawn, type SpawnOptions } from 'node:child_process';

/**
 * Returns the output of a program. If it does not run or exits with a code other than 0, rejects with its last line. It
 * has its own process group, so Ctrl-C does not interrupt it.
 */
export async function runProgram(
  file: string,
  args: readonly string[],
  options: SpawnOptions = {},
  input = '',
): Promise<string> {
  const child = spawn(file, args, { ...options, detached: true, stdio: 'pipe' });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  // A program that ends early closes its input. Its exit code says why.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0) throw new Error(reasonIn(output) ?? `${file} exited with ${String(code)}`);
  return output;
}

/** Returns the line of PostgreSQL's output that describes the failure, without its level. */
export function reasonIn(output: string): string | undefined {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const failure =
    lines.find((line) => /(FATAL|PANIC|ERROR|error):/.test(line)) ??
    lines.find((line) => /could not|cannot/.test(line)) ??
    lines.at(-1);
  return failure?.replace(/^.*?(FATAL|PANIC|ERROR|LOG|WARNING|error|warning):\s*/, '').trim();
}
