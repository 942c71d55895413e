import { BLOCK } from '../document-search/tables.js';

/** Digits of the number of a part: an order is cut into 1,024 parts. */
export const DIGITS = 10;
/** Stands where a digit would: the positions whose documents are in the slices. */
export const SLICED = DIGITS;

/**
 * The orders of large accounts, as a bit-sliced index. The documents of an account in the order of a field are cut into
 * parts of about the same number; the digits of the number of a document's part are bitmaps by block. A few `AND` of
 * them then narrow any matches down to those around a place of the order.
 */
export const TABLES = [
  `CREATE TABLE search_orders (
    id integer GENERATED ALWAYS AS IDENTITY CONSTRAINT search_orders_pkey PRIMARY KEY,
    account_id uuid NOT NULL,
    sort text NOT NULL,
    is_complete boolean NOT NULL,
    sliced integer NOT NULL,
    most_sliced integer NOT NULL
  )`,
  'CREATE UNIQUE INDEX search_orders_account_id_key ON search_orders (account_id, sort, is_complete)',
  // The parts of an order but the first, which has all that comes before them.
  `CREATE TABLE search_parts (
    order_id integer NOT NULL,
    first_key text COLLATE "C" NOT NULL,
    part smallint NOT NULL,
    CONSTRAINT search_parts_pkey PRIMARY KEY (order_id, first_key) INCLUDE (part)
  )`,
  `CREATE TABLE search_slices (
    order_id integer NOT NULL,
    digit smallint NOT NULL,
    block_id integer NOT NULL,
    bits bit varying NOT NULL,
    CONSTRAINT search_slices_pkey PRIMARY KEY (order_id, digit, block_id)
  ) WITH (fillfactor = 80)`,
  // What is compressed takes longer to read.
  'ALTER TABLE search_slices ALTER bits SET STORAGE PLAIN',
  'CREATE INDEX search_slices_block_id_idx ON search_slices (block_id)',
];

/** Positions that a block frees are given to other documents: the slices must not know them any more. */
export const TRIGGER = [
  `CREATE FUNCTION search_free_positions() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE search_slices SET bits = bits & search_width(NEW.used, ${String(BLOCK)}) WHERE block_id = NEW.id;
    RETURN NULL;
  END
  $$`,
  `CREATE TRIGGER search_positions_freed AFTER UPDATE OF used ON search_blocks FOR EACH ROW
    WHEN (bit_count(NEW.used) < bit_count(OLD.used)) EXECUTE FUNCTION search_free_positions()`,
];
