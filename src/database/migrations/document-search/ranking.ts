/** How well documents match. */
export const RANKING_FUNCTIONS = [
  // Adds a word's bitmaps to sums that are kept bit by bit, the lowest first: 1 for each word that is there, 1 to 3 for
  // more occurrences, 4 for the title.
  `CREATE FUNCTION search_add_word(
    sums bit varying[], bits bit varying, low bit varying, high bit varying, in_title bit varying
  ) RETURNS bit varying[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  DECLARE
    parts bit varying[] := ARRAY[bits, low, high, in_title];
    digits integer[] := ARRAY[1, 1, 2, 3];
    carry bit varying;
    digit integer;
  BEGIN
    FOR part IN 1 .. 4 LOOP
      carry := parts[part];
      digit := digits[part];
      WHILE bit_count(carry) > 0 LOOP
        IF sums[digit] IS NULL THEN
          sums[digit] := carry;
          EXIT;
        END IF;
        bits := sums[digit] & carry;
        sums[digit] := sums[digit] # carry;
        carry := bits;
        digit := digit + 1;
      END LOOP;
    END LOOP;
    RETURN sums;
  END
  $$`,
  `CREATE AGGREGATE search_sum(bit varying, bit varying, bit varying, bit varying) (
    SFUNC = search_add_word, STYPE = bit varying[], INITCOND = '{}')`,
  // Documents by their sum.
  `CREATE FUNCTION search_tiers(matched bit varying, sums bit varying[])
  RETURNS TABLE (score integer, bits bit varying) LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE ROWS 10 AS $$
  DECLARE
    scores integer[] := ARRAY[0];
    parts bit varying[] := ARRAY[matched];
    old_scores integer[];
    old_parts bit varying[];
    part bit varying;
  BEGIN
    FOR digit IN REVERSE coalesce(array_upper(sums, 1), 0) .. 1 LOOP
      CONTINUE WHEN sums[digit] IS NULL;
      old_scores := scores; old_parts := parts;
      scores := '{}'; parts := '{}';
      FOR i IN 1 .. cardinality(old_scores) LOOP
        part := old_parts[i] & sums[digit];
        IF bit_count(part) > 0 THEN
          scores := scores || old_scores[i] + (1 << (digit - 1)); parts := parts || part;
        END IF;
        part := old_parts[i] & ~sums[digit];
        IF bit_count(part) > 0 THEN
          scores := scores || old_scores[i]; parts := parts || part;
        END IF;
      END LOOP;
    END LOOP;
    RETURN QUERY SELECT * FROM unnest(scores, parts);
  END
  $$`,
];
