/** How well documents match. */
export const RANKING_FUNCTIONS = [
  // Adds a word's bitmaps to sums that are kept bit by bit, the lowest first: 1 for each word that is there, 1 to 3 for
  // more occurrences, 4 for the title.
  `CREATE OR REPLACE FUNCTION search_add_word(
    sums bit varying[], bits bit varying, low bit varying, high bit varying, in_title bit varying
  ) RETURNS bit varying[] LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
  DECLARE
    -- What a word counts, 1 to 4, digit by digit, because each is then added once; the bits of it that are in the title.
    parts bit varying[] := ARRAY[bits # low, low # high, low & high, in_title];
    digits integer[] := ARRAY[1, 2, 3, 3];
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
  // Documents by their sum.
  `CREATE OR REPLACE FUNCTION search_tiers(matched bit varying, sums bit varying[])
  RETURNS TABLE (score integer, bits bit varying) LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE ROWS 10 AS $$
  DECLARE
    scores integer[] := ARRAY[0];
    parts bit varying[] := ARRAY[matched];
    numbers bigint[] := ARRAY[bit_count(matched)];
    part bit varying;
    number bigint;
  BEGIN
    FOR digit IN REVERSE coalesce(array_upper(sums, 1), 0) .. 1 LOOP
      CONTINUE WHEN sums[digit] IS NULL;
      FOR i IN 1 .. cardinality(scores) LOOP
        part := parts[i] & sums[digit];
        number := bit_count(part);
        CONTINUE WHEN number = 0;
        IF number < numbers[i] THEN
          -- The others stay behind with their score.
          scores := scores || scores[i];
          parts := parts || (parts[i] # part)::bit varying;
          numbers := numbers || (numbers[i] - number);
        END IF;
        scores[i] := scores[i] + (1 << (digit - 1));
        parts[i] := part;
        numbers[i] := number;
      END LOOP;
    END LOOP;
    RETURN QUERY SELECT * FROM unnest(scores, parts);
  END
  $$`,
];
