import { highlightParts } from '../../packages/dashboard/src/pages/documents/highlight-parts.js';
import { locate } from '../../packages/dashboard/src/pages/documents/check/locate.js';
import { webhookName } from '../../packages/dashboard/src/pages/webhooks/webhook-name.js';
import {
  metadataChanges,
  metadataRows,
} from '../../packages/dashboard/src/pages/documents/metadata-form.js';

it('a highlight of a search is text with marks, whatever markup it contains', () => {
  expect(highlightParts('a &lt;b&gt; <mark>c &amp; d</mark> <img src=x>')).toEqual([
    { text: 'a <b> ', marked: false },
    { text: 'c & d', marked: true },
    { text: ' <img src=x>', marked: false },
  ]);
});

describe('a passage of a text', () => {
  const passage = { start: 10, end: 13, original: 'teh' };

  it('a passage of a text is found in place, and after it has moved', () => {
    expect(locate('0123456789teh end', passage)).toEqual({ from: 10, to: 13 });
    expect(locate('teh 0123456789 and teh end', passage)).toEqual({ from: 19, to: 22 });
  });

  it('a passage of a text is not found when it has changed', () => {
    expect(locate('0123456789the end', passage)).toBeUndefined();
  });
});

it('the name of a webhook is its description, or host and path', () => {
  const url = 'https://hooks.example.com/v2/documents/';
  expect(webhookName({ description: 'CRM', url })).toBe('CRM');
  expect(webhookName({ description: ' ', url })).toBe('hooks.example.com/v2/documents');
  expect(webhookName({ description: null, url: 'http://a.example/' })).toBe('a.example');
});

describe('metadata as rows', () => {
  const metadata = { tags: ['a'], department: 'Sales', size: 12, deep: { x: [1], y: 2 } };

  it('metadata as rows shows values that are not text as JSON, and changes nothing on its own', () => {
    const rows = metadataRows(metadata);
    expect(rows).toEqual([
      { key: 'department', value: 'Sales' },
      { key: 'size', value: '12', isJson: true },
      { key: 'deep', value: '{"x":[1],"y":2}', isJson: true },
    ]);
    const nothing = { patch: undefined, problems: [] };
    expect(metadataChanges(metadata, rows, ['a'])).toEqual(nothing);
    const spaced = rows.map((row) => ({
      ...row,
      value: row.value.replace('{"x":[1],', '{ "x": [1], '),
    }));
    expect(metadataChanges(metadata, spaced, ['a'])).toEqual(nothing);
  });

  it('metadata as rows creates a merge patch of additions, changes and removals', () => {
    const rows = [
      { key: 'department', value: '12' },
      { key: 'size', value: '13', isJson: true as const },
      { key: 'deep', value: '{"x":[]}', isJson: true as const },
      { key: ' region ', value: 'eu' },
    ];
    expect(metadataChanges({ ...metadata, old: 'x' }, rows, []).patch).toEqual({
      department: '12',
      size: 13,
      deep: { x: [], y: null },
      region: 'eu',
      old: null,
      tags: null,
    });
  });

  it('metadata as rows reports what cannot be saved, and leaves that value unchanged', () => {
    const rows = [
      { key: 'deep', value: '{"x":', isJson: true as const },
      { key: '', value: 'nameless' },
      { key: 'size', value: '12', isJson: true as const },
      { key: 'size', value: 'again' },
      { key: 'department', value: 'Support' },
    ];
    expect(metadataChanges(metadata, rows, ['a'])).toEqual({
      patch: { department: 'Support' },
      problems: [
        'The value of “deep” is not valid JSON. To store it as text, put it in double quotes.',
        'Enter a key for the value “nameless”.',
        'The key “size” is used twice. Rename one of them.',
      ],
    });
  });
});
