/** The SQL of one area of the schema: what makes it, and what takes it away again. */
export interface SchemaArea {
  up: string;
  down: string;
}
