import { readFileSync } from 'node:fs';
import { nodeProblem, SUPPORTED_NODE } from './node-version.js';

describe('the Node.js version', () => {
  it.each(['20.19.0', '20.20.1', '22.13.0', '22.99.1', '24.11.0', '25.0.0', '30.1.2'])(
    '%s is accepted',
    (version) => {
      expect(nodeProblem(version)).toBeUndefined();
    },
  );

  it.each(['18.20.8', '0.12.18', '20.18.3', '21.7.3', '22.12.0', '23.11.1', '24.10.0'])(
    '%s is refused in one sentence that says what to install',
    (version) => {
      expect(nodeProblem(version)).toMatch(
        new RegExp(`^The Document Service needs Node.js 20.19, .*; this is ${version}. Install`),
      );
    },
  );

  it('matches the range in package.json', () => {
    const { engines } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      engines: { node: string };
    };
    expect(engines.node).toBe(SUPPORTED_NODE);
  });
});
