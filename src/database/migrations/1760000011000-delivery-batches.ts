import type { MigrationInterface, QueryRunner } from 'typeorm';
import { CLAIM_FUNCTION } from './delivery-batches/claim.js';
import { SETTLE_FUNCTION } from './delivery-batches/settle.js';
import {
  CLAIM_FUNCTION as CLAIM_ROW_BY_ROW,
  SETTLE_FUNCTION as SETTLE_ROW_BY_ROW,
} from './webhook-delivery-functions.js';

/** Deliveries are leased and settled by one statement for all. Callers do not change: old workers may still run. */
export class DeliveryBatches1760000011000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [CLAIM_FUNCTION, SETTLE_FUNCTION]) {
      await runner.query(statement);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of [CLAIM_ROW_BY_ROW, SETTLE_ROW_BY_ROW]) {
      await runner.query(statement.replace('CREATE FUNCTION', 'CREATE OR REPLACE FUNCTION'));
    }
  }
}
