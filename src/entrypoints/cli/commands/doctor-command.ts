import type { Command } from 'commander';
import { ConfigurationError } from '../../../platform/config/variables.js';
import { explain } from '../../../platform/basics/errors/explain.js';
import { currentRun } from '../command-run.js';
import { CHECKS, type Finding } from './doctor-checks.js';
import { print, show } from '../output.js';

export function define(command: Command): void {
  command.action(examine);
}

/** Runs every check. Sets exit code 1 if one failed. */
async function examine(): Promise<void> {
  const findings: Finding[] = [];
  for (const [name, check] of CHECKS) {
    const found = await check().catch((error: unknown) => [failureOf(error)]);
    findings.push(...found.map((one) => ({ check: name, ...one })));
  }
  const failed = findings.filter(({ state }) => state === 'failure').length;
  const warned = findings.filter(({ state }) => state === 'warning').length;
  show({ ok: failed === 0, findings }, () => {
    for (const { state, check, text } of findings) {
      print(`${state.padEnd(7)}  ${String(check).padEnd(13)}  ${text}`);
    }
    print(`${count(failed, 'failure')}, ${count(warned, 'warning')}.`);
  });
  if (failed > 0) currentRun().exitCode = 1;
}

function failureOf(error: unknown): Finding {
  // The first check reports the problems.
  if (error instanceof ConfigurationError) {
    return { state: 'warning', text: 'Skipped because the configuration is invalid.' };
  }
  return { state: 'failure', text: explain(error, 'This check could not run') };
}

function count(number: number, what: string): string {
  return `${String(number)} ${what}${number === 1 ? '' : 's'}`;
}
