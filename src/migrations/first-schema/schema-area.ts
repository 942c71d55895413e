/**
 * The tables of one area with their indexes, functions and triggers: SQL that makes them in an empty database, and SQL
 * that takes them away again. Statements end with a semicolon.
 */
export interface SchemaArea {
  up: string;
  down: string;
}
