import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import ts from 'typescript';
import type { Block, PageBlocks } from './blocks.js';
import type { Stated } from './program-run.js';

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

  /** Compiles the program of a page. `adapted` replaces addresses in its code. */
  compile(
    page: string,
    adapted: (code: string) => string,
  ): { program: string; recorder: string; stated: Stated } {
    const source = this.sourceOf(page);
    const stated = new Map<number, string>();
    let program = '';
    this.program.emit(
      source,
      (path, text) => {
        if (!path.endsWith('.mjs')) return;
        program = path;
        mkdirSync(join(path, '..'), { recursive: true });
        writeFileSync(path, adapted(text));
      },
      undefined,
      false,
      { before: [() => (file) => withLines(file, stated)] },
    );
    return { program, recorder: join(this.outDir, 'record.mjs'), stated };
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
    writeFileSync(join(outDir, 'record.mjs'), RECORDER);
  }
}

/** Runs before a page's program. Records each call of `console.log` that has a value in a comment, with its line. */
const RECORDER = `import { appendFileSync } from 'node:fs';
import { format } from 'node:util';
globalThis.recordedLog = (line, ...values) => {
  console.log(...values);
  appendFileSync(process.env.RECORD, JSON.stringify({ line, text: format(...values) }) + '\\n');
};
`;

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

/** Replaces `console.log(…); // value` by `recordedLog(line, …)`, and collects the values. */
function withLines(file: ts.SourceFile, stated: Map<number, string>): ts.SourceFile {
  const { text } = file;
  const visit = (node: ts.Node): ts.Node => {
    if (!ts.isExpressionStatement(node) || !isConsoleLog(node.expression)) {
      return ts.visitEachChild(node, visit, undefined);
    }
    const comment = commentAfter(text, node.end);
    if (comment === undefined) return node;
    const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;
    stated.set(line, comment);
    const { factory } = ts;
    const call = factory.createCallExpression(factory.createIdentifier('recordedLog'), undefined, [
      factory.createNumericLiteral(line),
      ...node.expression.arguments,
    ]);
    return factory.updateExpressionStatement(node, call);
  };
  return ts.visitEachChild(file, visit, undefined);
}

const isConsoleLog = (node: ts.Expression): node is ts.CallExpression =>
  ts.isCallExpression(node) && node.expression.getText() === 'console.log';

/** Returns the comment between a position and the end of its line. */
function commentAfter(text: string, position: number): string | undefined {
  const [first] = ts.getTrailingCommentRanges(text, position) ?? [];
  if (first?.kind !== ts.SyntaxKind.SingleLineCommentTrivia) return undefined;
  return text.slice(first.pos + 2, first.end).trim();
}
