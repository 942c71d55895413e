// Checks types and lint rules with one TypeScript program per tsconfig, so that rules that need types do not compute them
// again.
import { ESLint } from 'eslint';
import ts from 'typescript';
import './api-types.mjs';

const host = {
  ...ts.sys,
  onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
    throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
  },
};
const programs = [
  'tsconfig.json',
  'packages/dashboard/tsconfig.json',
  'test/dashboard-ui/tsconfig.json',
  'packages/client/tsconfig.json',
].map((config) => {
  const { errors, fileNames, options } = ts.getParsedCommandLineOfConfigFile(config, {}, host);
  return { program: ts.createProgram(fileNames, options), errors };
});
const diagnostics = programs.flatMap(({ program, errors }) => [
  ...errors,
  ...ts.getPreEmitDiagnostics(program),
]);
process.stdout.write(
  ts.formatDiagnostics(diagnostics, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => process.cwd(),
    getNewLine: () => '\n',
  }),
);

const parserOptions = { projectService: false, programs: programs.map(({ program }) => program) };
const eslint = new ESLint({
  overrideConfig: { files: ['**/*.{ts,tsx}'], languageOptions: { parserOptions } },
});
const results = await eslint.lintFiles(['.']);
const formatter = await eslint.loadFormatter('stylish');
process.stdout.write(await formatter.format(results));

const isRefused = ({ errorCount, warningCount }) => errorCount + warningCount > 0;
if (diagnostics.length > 0 || results.some(isRefused)) process.exitCode = 1;
