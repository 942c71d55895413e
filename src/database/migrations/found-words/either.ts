import { MATCHES_FUNCTIONS } from '../remembered-facets/matches.js';
import { functionName } from '../restored-functions.js';

/** Words of a search may be found under several forms, which stand in one term with "|" between them. */
const FORMS = `unnest(CASE WHEN number > 0 THEN string_to_array(asked, '|') ELSE ARRAY[asked] END)`;

const CHANGES: readonly (readonly [before: string, after: string])[] = [
  [
    'FROM jsonb_to_recordset(literals) AS literal(terms text[]), unnest(terms) AS term;',
    `FROM jsonb_to_recordset(literals) AS literal(number integer, terms text[]), unnest(terms) AS asked, ${FORMS} AS term;`,
  ],
  // Only the first form ranks: a document has a word in all of its forms.
  [
    'SELECT term, dense_rank() OVER (PARTITION BY configuration ORDER BY branch, number, term) AS n',
    `SELECT split_part(term, '|', 1) AS term, dense_rank() OVER (PARTITION BY configuration ORDER BY branch, number, term) AS n`,
  ],
  [
    'SELECT bool_and(NOT negated AND phrase IS NULL AND runs IS NULL) AND count(DISTINCT branch) = 1',
    `SELECT bool_and(NOT negated AND phrase IS NULL AND runs IS NULL AND (number = 0 OR strpos(array_to_string(terms, ' '), '|') = 0))
             AND count(DISTINCT branch) = 1`,
  ],
  [
    'literal(branch integer, negated boolean, phrase text[], runs text[]));',
    'literal(branch integer, number integer, negated boolean, terms text[], phrase text[], runs text[]));',
  ],
  [
    `SELECT id, branch, number, negated, exact, cost, bit_and(found.bits) AS bits
          FROM literal CROSS JOIN unnest(terms) AS wanted(term) JOIN found USING (term)
         GROUP BY`,
    `SELECT id, branch, number, negated, exact, cost, bit_and(one.bits) AS bits
          FROM (SELECT id, branch, number, negated, exact, cost, terms, asked, bit_or(found.bits) AS bits
                  FROM literal CROSS JOIN unnest(terms) AS asked CROSS JOIN LATERAL ${FORMS} AS term JOIN found USING (term)
                 GROUP BY id, branch, number, negated, exact, cost, terms, asked) AS one
         GROUP BY`,
  ],
];

/** Which documents match, as before but for words with several forms. */
export const SEARCH_MATCHES = CHANGES.reduce(
  (statement, [before, after]) => {
    if (statement.split(before).length !== 2) throw new Error(`search_matches has not: ${before}`);
    return statement.replace(before, () => after);
  },
  MATCHES_FUNCTIONS.find((statement) => functionName(statement) === 'search_matches') ?? '',
);
