// Bundles a module as a browser page would load it, and prints the code. Vite is an ES module, which jest cannot load.
import { build } from 'vite';

const [input] = process.argv.slice(2);
const { output } = await build({
  root: process.cwd(),
  configFile: false,
  logLevel: 'silent',
  build: {
    write: false,
    rollupOptions: { input, preserveEntrySignatures: 'strict' },
    modulePreload: false,
  },
});
process.stdout.write(output.find(({ type }) => type === 'chunk').code);
