import { Lexer, Parser } from 'yaml';

/** Levels of collections that YAML may have. No file that means something here has ten. */
const MAX_DEPTH = 100;

/**
 * Returns whether YAML nests too deeply to be parsed. The composer of `yaml` calls itself for each level, and at the end of
 * the stack V8 ends the whole process if a regular expression is compiled there: no error can be caught.
 */
export function nestsTooDeeply(yaml: string): boolean {
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(yaml)) {
    // The parser only goes on when the tokens that it has completed are taken.
    Array.from(parser.next(lexeme));
    if (parser.stack.length > MAX_DEPTH) return true;
  }
  return false;
}
