import {
  parseRules,
  RULE_EXAMPLES,
  withFreeId,
  withKind,
  withoutBlankLines,
  writeRules,
  type EditedRule,
  type RuleKind,
} from '../../packages/dashboard/src/pages/settings/style-rule-form.js';

const EXAMPLES = Object.values(RULE_EXAMPLES) as EditedRule[];
const KINDS = Object.keys(RULE_EXAMPLES) as RuleKind[];

const parsed = (...rules: object[]) => parseRules(JSON.stringify(rules));

describe('style rules in the form', () => {
  it('style rules in the form are the same after they were written and read, with unknown fields', () => {
    const rules = [...EXAMPLES, { ...EXAMPLES[0], too: 'b' }];
    expect(parseRules(writeRules(rules)).rules).toEqual(rules);
  });

  it('style rules in the form get the values that the API gives to missing fields', () => {
    const rule = { id: 'a', kind: 'pattern', pattern: 'b' };
    expect(parsed(rule).rules).toEqual([
      { ...rule, severity: 'warning', message: null, replacement: null },
    ]);
  });

  it.each([
    ['{', /^Invalid JSON/],
    ['{}', 'Enter a JSON array: [ … ]'],
    ['[1]', "The form can't show rule 1: check its braces."],
    ['[{"id":"a","kind":"toString"}]', "The form can't show rule 1: check its kind."],
    ['[{"id":"a","kind":"banned","phrases":"b"}]', "The form can't show rule 1: check phrases."],
    [
      '[{"id":"a","kind":"banned","phrases":["b"],"severity":"fatal"}]',
      "The form can't show rule 1: check severity.",
    ],
  ])(
    'style rules in the form are left to JSON if no field can hold a value, as in %s',
    (text, problem) => {
      const { rules, problem: reported } = parseRules(text);
      expect(rules).toBeUndefined();
      expect(reported).toMatch(problem);
    },
  );

  it('style rules in the form are sent without blank lines, and without changes to what is no list of texts', () => {
    const [rule] = parsed({ id: 'a', kind: 'banned', phrases: ['b', '', ' ', 'c'] }).rules ?? [];
    expect(withoutBlankLines(rule)).toMatchObject({ phrases: ['b', 'c'] });
    const wrong = { kind: 'banned', phrases: ['b', 1] };
    expect(withoutBlankLines(wrong)).toBe(wrong);
    expect(withoutBlankLines(null)).toBeNull();
  });

  it('style rules in the form get an ID that no other rule has', () => {
    expect(withFreeId({ id: 'a' }, [])).toEqual({ id: 'a' });
    expect(withFreeId({ id: 'a' }, [{ id: 'a' }, { id: 'a-2' }])).toEqual({ id: 'a-3' });
    expect(withFreeId({ id: 'a-2' }, [{ id: 'a' }, { id: 'a-2' }])).toEqual({ id: 'a-3' });
    const long = 'x'.repeat(80);
    expect(withFreeId({ id: long }, [{ id: long }]).id).toHaveLength(80);
  });

  it('style rules in the form can be shown as each other kind, and keep their words or pattern', () => {
    for (const rule of EXAMPLES) {
      for (const kind of KINDS) {
        const { rules } = parsed(withKind(rule, kind));
        expect(rules).toMatchObject([{ id: rule.id, kind, severity: rule.severity }]);
      }
    }
    const [replacement, , pattern] = EXAMPLES;
    if (!replacement || !pattern) throw new Error('No examples.');
    expect(withKind(replacement, 'banned')).toMatchObject({ phrases: ['utilize', 'utilise'] });
    expect(withKind(pattern, 'occurrence')).toMatchObject({ pattern: '  +', max: 1 });
  });
});
