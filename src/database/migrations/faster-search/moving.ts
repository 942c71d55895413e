import { BITS_OF_PLACES, IS_VALUE, LONGEST_LIST } from './table.js';

/**
 * From the tables of words. Whoever changes the index waits meanwhile; writing documents only notes them, and lists
 * read what was there before. The `&` changes no bit, but what comes from it is not compressed.
 */
export const MOVE_THERE = [
  'LOCK TABLE search_entries IN SHARE ROW EXCLUSIVE MODE',
  `INSERT INTO search_values (account_id, term, block_id, bits)
   SELECT account_id, term, block_id, search_width(bits, length(used)) & used
     FROM search_bitmaps JOIN search_blocks AS block ON block.id = block_id WHERE ${IS_VALUE}`,
  `INSERT INTO search_values AS old (account_id, term, block_id, places, bits)
   SELECT account_id, term, block_id, CASE WHEN is_short THEN places END,
          CASE WHEN NOT is_short THEN search_width(${BITS_OF_PLACES}, length(used)) END
     FROM (SELECT *, cardinality(places) <= ${String(LONGEST_LIST)} AS is_short FROM search_postings) AS list
     JOIN search_blocks AS block ON block.id = block_id WHERE ${IS_VALUE} AND places <> '{}'
   ON CONFLICT (account_id, term, block_id) DO UPDATE
      SET bits = old.bits | search_width(coalesce(EXCLUDED.bits, search_bits_of(EXCLUDED.places)), length(old.bits))`,
  `DELETE FROM search_bitmaps WHERE ${IS_VALUE}`,
  `DELETE FROM search_postings WHERE ${IS_VALUE}`,
];

export const MOVE_BACK = [
  'LOCK TABLE search_entries IN SHARE ROW EXCLUSIVE MODE',
  `INSERT INTO search_bitmaps (block_id, term, bits)
   SELECT block_id, term, bits FROM search_values WHERE bits IS NOT NULL`,
  `INSERT INTO search_postings (block_id, term, places)
   SELECT block_id, term, places FROM search_values WHERE places IS NOT NULL`,
];
