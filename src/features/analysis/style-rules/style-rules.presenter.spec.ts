import {
  createdRulesResponse,
  presentListedRules,
  presentStyleRules,
} from './style-rules.presenter.js';

/** As PostgreSQL returns it. Parsing and writing it again would remove the spaces. */
const rules = '[ {"id":"a",  "kind":"accepted"} ]';
const set = { version: 2, isActive: true, rules, createdAt: new Date('2026-11-27T00:00:00.000Z') };
const TEXT = `{"version":2,"isActive":true,"rules":${rules},"createdAt":"2026-11-27T00:00:00.000Z"}`;

describe('Versions of style rules in responses', () => {
  it('contain their rules as the stored text, because parsing 6 MB blocks the event loop', () => {
    expect(presentStyleRules(set)).toBe(TEXT);
    expect(presentListedRules([set, set])).toBe(`[${TEXT},${TEXT}]`);
  });

  it('also contain the skipped rules of an import', () => {
    const { json, extras } = createdRulesResponse(set, '[{"path":"a","reason":"b"}]');
    expect(JSON.parse(json)).toEqual({
      ...(JSON.parse(TEXT) as object),
      skipped: [{ path: 'a', reason: 'b' }],
    });
    expect(extras.location).toBe('/v1/style-rules/2');
  });
});
