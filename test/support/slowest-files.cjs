const { relative } = require('node:path');

const COUNT = 10;

/** A jest reporter that prints the ten slowest files at the end of a run of more than ten. */
module.exports = class SlowestFiles {
  onRunComplete(_contexts, { testResults }) {
    if (testResults.length <= COUNT) return;
    const seconds = ({ perfStats }) => (perfStats.end - perfStats.start) / 1000;
    const slowest = testResults.toSorted((a, b) => seconds(b) - seconds(a)).slice(0, COUNT);
    const lines = slowest.map(
      (result) =>
        `${seconds(result).toFixed(1).padStart(7)} s  ${relative(process.cwd(), result.testFilePath)}`,
    );
    process.stderr.write(`\nSlowest files:\n${lines.join('\n')}\n`);
  }
};
