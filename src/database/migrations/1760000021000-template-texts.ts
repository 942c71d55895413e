import type { MigrationInterface, QueryRunner } from 'typeorm';

const COLUMNS = ['templates', 'template_versions'].flatMap((table) =>
  ['metadata', 'ai_settings'].map((column) => ({ table, column })),
);

/** Open objects of templates are texts: kept to the letter, and never looked into by the database. */
export class TemplateTexts1760000021000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const { table, column } of COLUMNS) {
      await runner.query(`ALTER TABLE ${table} ALTER COLUMN ${column} TYPE text`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { table, column } of COLUMNS) {
      await runner.query(
        `ALTER TABLE ${table} ALTER COLUMN ${column} TYPE json USING ${column}::json`,
      );
    }
  }
}
