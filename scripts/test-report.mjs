// Sums up jest's JSON reports, whose files are the arguments: failed tests, tests that passed only at the second try, and the
// totals as the last line.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const MESSAGE_LINES = 6;

const paths = process.argv.slice(2);
const reports = paths
  .filter((path) => existsSync(path))
  .map((path) => JSON.parse(readFileSync(path, 'utf8')));
const files = reports.flatMap(({ testResults }) => testResults);

/** True for a file that failed outside its tests, for example while it was loaded. */
const failedOutsideTests = ({ status, assertionResults }) =>
  status === 'failed' && !assertionResults.some((test) => test.status === 'failed');

printTests('failed tests', [
  ...files
    .filter(failedOutsideTests)
    .map(({ name, message }) => ({ file: name, fullName: 'the file', message })),
  ...testsOf(({ status }) => status === 'failed'),
]);
printTests(
  'passed at the second try',
  testsOf(({ status, retryReasons = [] }) => status === 'passed' && retryReasons.length > 0),
);
printTotals();

function testsOf(isWanted) {
  return files.flatMap(({ name, assertionResults }) =>
    assertionResults.filter(isWanted).map(({ fullName, failureMessages, retryReasons = [] }) => ({
      file: name,
      fullName,
      message: failureMessages[0] ?? retryReasons[0] ?? '',
    })),
  );
}

function printTests(title, tests) {
  if (tests.length > 0) console.log(`== ${title}`);
  for (const { file, fullName, message } of tests) {
    const lines = stripVTControlCharacters(message)
      .split('\n')
      .filter((line) => line.trim() !== '')
      .slice(0, MESSAGE_LINES)
      .map((line) => `    ${line}`);
    console.log([`${relative('.', file)}: ${fullName}`, ...lines].join('\n'));
  }
}

/** A missing report counts as one failure, and so does a file that failed outside its tests. */
function printTotals() {
  const sum = (count) => reports.reduce((total, report) => total + count(report), 0);
  const passed = sum(({ numPassedTests }) => numPassedTests);
  const failed =
    paths.length -
    reports.length +
    files.filter(failedOutsideTests).length +
    sum(({ numFailedTests }) => numFailedTests);
  const skipped = sum(({ numPendingTests, numTodoTests }) => numPendingTests + numTodoTests);
  console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
}
