import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import ts from 'typescript';
import type { Block, PageBlocks } from './blocks.js';

/** A user's settings, and the sources of this repository's client. */
const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: ['node'],
  customConditions: ['document-service-source'],
  strict: true,
  skipLibCheck: true,
  rootDir: process.cwd(),
};

const CLIENT = 'packages/client/src/index.ts';
const CLIENT_PACKAGE = 'node_modules/@document-service/client';

/** The `ts` blocks of all pages: one program a page, with one check of types for all. */
export class TypescriptPages {
  private readonly program: ts.Program;
  private readonly files = new Map<string, string>();

  private readonly outDir: string;

  /** Writes the programs into `folder`, which must be inside the project to find its packages. */
  constructor(folder: string, pages: readonly PageBlocks[]) {
    const sources = join(folder, 'sources');
    mkdirSync(sources, { recursive: true });
    for (const [index, { file, blocks }] of pages.entries()) {
      const path = resolve(sources, `page-${String(index)}.mts`);
      writeFileSync(path, `${programOf(blocks, 'ts')}\nexport {};\n`);
      this.files.set(file, path);
    }
    this.outDir = resolve(folder, 'out');
    const roots = [...this.files.values(), resolve(CLIENT)];
    this.program = ts.createProgram(roots, { ...OPTIONS, outDir: this.outDir });
    this.writeClient();
  }

  /** Returns the compiler's errors, with lines of the page. */
  problemsOf(page: string): string[] {
    const source = this.sourceOf(page);
    const found = [
      ...this.program.getSyntacticDiagnostics(source),
      ...this.program.getSemanticDiagnostics(source),
    ];
    return found.map(({ start = 0, messageText }) => {
      const line = source.getLineAndCharacterOfPosition(start).line + 1;
      return `${page}:${String(line)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    });
  }

  /** Compiles the program of a page and returns its file. `adapted` replaces addresses in its code. */
  compile(page: string, adapted: (code: string) => string): string {
    let program = '';
    this.program.emit(this.sourceOf(page), (path, text) => {
      if (!path.endsWith('.mjs')) return;
      program = path;
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, adapted(text));
    });
    return program;
  }

  private sourceOf(page: string): ts.SourceFile {
    const source = this.program.getSourceFile(this.files.get(page) ?? '');
    if (!source) throw new Error(`${page} is not in the program of the pages.`);
    return source;
  }

  /** Compiles the client once, and lets the pages find it under its name. */
  private writeClient(): void {
    const { outDir } = this;
    const client = `${resolve('packages/client/src')}/`;
    for (const source of this.program.getSourceFiles()) {
      if (!source.fileName.startsWith(client) || source.isDeclarationFile) continue;
      this.program.emit(source);
    }
    const here = join(outDir, CLIENT_PACKAGE);
    mkdirSync(here, { recursive: true });
    const built = join(outDir, CLIENT.replace(/\.ts$/, '.js'));
    writeFileSync(join(here, 'index.js'), `export * from '${relative(here, built)}';\n`);
    writeFileSync(
      join(here, 'package.json'),
      '{"name": "@document-service/client", "type": "module", "exports": "./index.js"}',
    );
    writeFileSync(join(outDir, 'package.json'), '{"type": "module"}');
  }
}

/** Returns the blocks of one language as one program with the line numbers of the page. */
export function programOf(blocks: readonly Block[], language: Block['language']): string {
  const lines: string[] = [];
  for (const { line, code, language: own } of blocks) {
    if (own !== language) continue;
    while (lines.length < line - 1) lines.push('');
    lines.push(...code.split('\n'));
  }
  return lines.join('\n');
}
