import { Lexer, Parser } from 'yaml';

/** Maximum nesting of YAML collections. No meaningful file has ten levels. */
const MAX_DEPTH = 100;

/**
 * Returns true if YAML nests too deeply to be parsed. The composer of `yaml` recurses per level, and V8 aborts the
 * whole process if a regular expression is compiled at the end of the stack. No error can be caught.
 */
export function nestsTooDeeply(yaml: string): boolean {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(yaml)) {
    // The parser only proceeds once its completed tokens are consumed.
    Array.from(parser.next(lexeme));
    if (parser.stack.length > MAX_DEPTH) return true;
  }
  return false;
}
